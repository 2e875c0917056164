// SPDX-License-Identifier: Apache-2.0

#ifndef CONFIGDI_MEASURING_H
#define CONFIGDI_MEASURING_H

#include <stddef.h>

/// Does nothing with the value at an address, which the compiler of the caller cannot know.
void opaque_use(const void *address);

/// Does nothing; tells a tool that watches calls where repetitions begin, and where they end.
void mark_repetitions(void);

/// The nanoseconds for which a processor has worked for the calling thread; those of the clock where that is not known.
unsigned long long thread_nanoseconds(void);

/// How many bytes are allocated and not freed; 0 where the system does not tell.
size_t allocated_bytes(void);

/// Gives the memory that is free back to the system, where that can be done.
void release_free_memory(void);

/// Has the process keep from now on what memory it has, so that what is freed is used again without the system's help.
void keep_free_memory(void);

#endif
