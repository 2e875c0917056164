// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  internal import ConfigDI
  internal import ConfigDITooling

  /// The page of `graph --format html`: a single file that needs no other file and no network.
  ///
  /// The style, the script and the skeleton are the files in `Page`. The page contains the data as JSON and shows them
  /// only as text, so that no name of a module can become markup or code. If one did, the content security policy would
  /// block it: it allows one script and one style, by their hashes.
  struct WiringPageText {
    /// The data of the page.
    let page: WiringPage

    /// The page as HTML, ending with a line break.
    var text: String {
      let parts = [
        "TITLE": WiringPageText.escaped(page.module), "STYLE": WiringPageText.style, "SCRIPT": WiringPageText.script,
        "POLICY": WiringPageText.policy, "DATA": data,
      ]
      // Inserted parts are not searched for marks, since a module may contain `%%`.
      var text = ""
      let pieces = WiringPageText.skeleton.split(separator: "%%", omittingEmptySubsequences: false)
      for (place, piece) in pieces.enumerated() {
        text += place % 2 == 0 ? String(piece) : parts[String(piece)] ?? ""
      }
      return text
    }

    /// The data as JSON, with `<` escaped so that no tag can begin.
    private var data: String { JSONWriter.text(of: page.value, .line).escaping { $0 == "<" ? "\\u003c" : nil } }

    /// Returns a text escaped for the content of an HTML element.
    private static func escaped(_ text: String) -> String { XMLText.escaped(text.visible) }
  }

  // MARK: - The files of the page

  extension WiringPageText {
    /// The page without its contents. The name of each inserted part is between two `%%`.
    private static let skeleton = String(decoding: PackageResources.page_html, as: UTF8.self)
    /// The style sheet.
    private static let style = "\n" + String(decoding: PackageResources.page_css, as: UTF8.self)
    /// The script: all files, in one scope.
    private static let script =
      "\n\"use strict\";\n"
      + [
        PackageResources.model_js, PackageResources.selection_js, PackageResources.layers_js,
        PackageResources.placing_js, PackageResources.routing_js, PackageResources.drawing_js,
        PackageResources.panel_js, PackageResources.controls_js,
      ].map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")

    /// The content security policy: allows only this style and this script, and no requests.
    private static let policy = "default-src 'none'; style-src \(hash(of: style)); script-src \(hash(of: script))"

    /// Returns the source expression that allows an inline script or style with exactly this text (Content Security
    /// Policy Level 3, section 2.3.1).
    private static func hash(of text: String) -> String { "'sha256-\(Base64.text(of: SHA256.hash(of: text.utf8)))'" }
  }
#endif
