// SPDX-License-Identifier: Apache-2.0
package import ConfigDITooling

extension EditorText {
  /// Returns the position of a byte offset. An offset behind the text gives the end of the text.
  package func position(of offset: Int, _ encoding: PositionEncoding) -> TextPosition {
    var walk = PositionWalk(self, encoding)
    return walk.position(of: offset)
  }
}
