// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

extension [Diagnostic] {
  /// Creates the diagnostics of a load, as `FindingsReport.resolved()` returns them.
  package init(resolving report: FindingsReport) { self = report.resolved().shown }
}
