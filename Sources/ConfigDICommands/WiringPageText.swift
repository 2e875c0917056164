// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ConfigDI
  internal import ConfigDITooling

  /// The page of `graph --format html`: one file that needs nothing else, no other file and no network.
  ///
  /// Style, script and skeleton are the files in `Page`. The data stand in the page as JSON and reach it as text alone, so
  /// that no name of a module can become markup or code. If one did, the page's policy would not run it: it allows one script
  /// and one style, by their hashes.
  struct WiringPageText {
    /// The wiring.
    private let page: WiringPage

    /// The text of a page.
    init(_ page: WiringPage) { self.page = page }

    /// The page; ends with a line break.
    var text: String {
      let parts = [
        "TITLE": WiringPageText.escaped(page.module), "STYLE": WiringPageText.style, "SCRIPT": WiringPageText.script,
        "POLICY": WiringPageText.policy, "DATA": data,
      ]
      // A part is not searched for marks, since a module may contain them.
      var text = ""
      let pieces = WiringPageText.skeleton.split(separator: "%%", omittingEmptySubsequences: false)
      for (place, piece) in pieces.enumerated() {
        text += place % 2 == 0 ? String(piece) : parts[String(piece)] ?? ""
      }
      return text
    }

    /// The data in which no tag can begin.
    private var data: String { JSONWriter.text(of: page.value, .line).escaping { $0 == "<" ? "\\u003c" : nil } }

    /// A text for the content of an element.
    private static func escaped(_ text: String) -> String {
      text.visible.escaping { scalar in
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        default: nil
        }
      }
    }
  }

  // MARK: - The files of the page

  extension WiringPageText {
    /// The page without its contents, whose places stand between `%%`.
    private static let skeleton = String(decoding: PackageResources.page_html, as: UTF8.self)
    /// The looks.
    private static let style = "\n" + String(decoding: PackageResources.page_css, as: UTF8.self)
    /// The script, all files in one scope.
    private static let script =
      "\n\"use strict\";\n"
      + [
        PackageResources.model_js, PackageResources.selection_js, PackageResources.layers_js,
        PackageResources.placing_js, PackageResources.routing_js, PackageResources.drawing_js,
        PackageResources.panel_js, PackageResources.controls_js,
      ].map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")

    /// The policy of the page: its style and its script alone, and no request.
    private static let policy = "default-src 'none'; style-src \(hash(of: style)); script-src \(hash(of: script))"

    /// What allows an inline script or style of this very text (Content Security Policy Level 3, section 2.3.1).
    private static func hash(of text: String) -> String { "'sha256-\(Base64.text(of: SHA256.hash(of: text.utf8)))'" }
  }
#endif
