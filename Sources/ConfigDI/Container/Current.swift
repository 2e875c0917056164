// SPDX-License-Identifier: Apache-2.0

/// What belongs to the running task.
enum Current {
  /// The container of `withContainer`; nil outside of it.
  @TaskLocal static var container: Container?
  /// What the task is making; nil where that is nothing, or is not awaited.
  @TaskLocal static var work: Work?
}
