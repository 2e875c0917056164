// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Whether the tests run under the thread or the address sanitizer.
///
/// Programs are many times slower under a sanitizer. The address sanitizer also keeps freed memory for a while, so the
/// size of the process is meaningless.
package let sanitizerIsOn: Bool = {
  // The run-time library of a sanitizer is linked into the program and exports these functions.
  dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
}()
