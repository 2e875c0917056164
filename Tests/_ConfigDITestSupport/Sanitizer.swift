// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Whether the tests run under the thread or the address sanitizer.
///
/// Programs are many times slower under them, and the address sanitizer keeps freed memory for a while, so that the size of
/// the process says nothing.
package let sanitizerIsOn: Bool = {
  // The run-time library of a sanitizer is a part of the program, and lists its functions by these names.
  dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
}()
