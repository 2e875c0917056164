// SPDX-License-Identifier: Apache-2.0

/// What belongs to the running task.
enum Current {
  /// The container of `withContainer`; nil outside of it.
  @TaskLocal static var container: Container?
}
