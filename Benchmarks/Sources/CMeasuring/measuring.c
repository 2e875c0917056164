// SPDX-License-Identifier: Apache-2.0

#include "measuring.h"

// Defines __GLIBC__ where it is the one of GNU.
#include <stdlib.h>
#include <time.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void opaque_use(const void *address) { (void)address; }

void mark_repetitions(void) {}

unsigned long long thread_nanoseconds(void) {
  struct timespec time;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) { clock_gettime(CLOCK_MONOTONIC, &time); }
  return (unsigned long long)time.tv_sec * 1000000000ULL + (unsigned long long)time.tv_nsec;
}

#ifdef __GLIBC__

size_t allocated_bytes(void) {
  struct mallinfo2 state = mallinfo2();
  return state.uordblks + state.hblkhd;
}

void release_free_memory(void) { malloc_trim(0); }

void keep_free_memory(void) {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, 0x7fffffff);
}

#else

size_t allocated_bytes(void) { return 0; }

void release_free_memory(void) {}

void keep_free_memory(void) {}

#endif
