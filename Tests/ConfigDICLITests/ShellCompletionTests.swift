// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

/// Shell completions, tested by the generated scripts and by the calls that these make.
@Suite struct ShellCompletionTests {
  /// A module with names of every kind, one with an error, and files that are not modules.
  private static let files = [
    "app.json": """
    { "configdi": 1, "module": "app", "environments": { "dev": [], "prod": ["parts/prod.json"] }, "scopes": ["request"],
      "parameters": { "mail.host": "h" }, "templates": { "base": { "type": "Base" } },
      "services": { "mailer": { "extends": "base", "values": { "h": "${mail.host}" }, "tags": ["t"], "scope": "request" } },
      "aliases": { "post": "mailer" }, "bindings": { "Mailer": "mailer" } }
    """,
    "parts/prod.json": #"{ "configdi": 1, "module": "p", "services": { "metrics": { "type": "Metrics" } } }"#,
    "broken.json": #"{ "configdi": 1, "module": "b", "environments": { "one": ["none.json"] }, "services": { "#,
    "notes.txt": "", "Cargo.json": "{}",
  ]

  /// The shells that have a script. The usual run takes a sample.
  static let shells = LongTests.sample(["bash", "zsh", "fish"], every: 3)

  /// The runs that print the scripts, which are the same for all modules.
  static let scripts: [String: Result<BuiltTool.Run, any Error>] = Dictionary(
    uniqueKeysWithValues: shells.map { shell in
      (shell, Result { try BuiltTool().run("--generate-completion-script", shell) })
    })

  /// The words of a command line, of which the last is being typed, and the offered completions. The usual run takes a
  /// sample, in which the names are of different kinds.
  static let lines: [(words: String, offered: [String])] = [
    ("validate app.json -e |", ["dev", "prod"]),
    ("validate app.json --environment p|", ["prod"]),
    ("validate --layer parts/prod.json app.json -e |", ["dev", "prod"]),
    ("resolve app.json -e d|", ["dev"]),
    ("explain app.json |", ["Mailer", "base", "mail.host", "mailer", "metrics", "post"]),
    ("explain app.json -e prod me|", ["metrics"]),
    ("diff app.json --from |", ["dev", "prod"]),
    ("diff app.json --from dev --to p|", ["prod"]),
    ("explain C|", ["CDI0101", "Cargo.json"]),
    ("explain CDI071|", ["CDI0710"]),
    ("explain p|", ["parts/prod.json"]),
    ("explain parts/|", ["parts/prod.json"]),
    ("explain |", ["Cargo.json", "app.json", "broken.json", "parts/prod.json"]),
    ("schema app.json -e |", ["dev", "prod"]),
    ("rename app.json |", ["base", "dev", "mail.host", "mailer", "metrics", "post", "prod", "request", "t"]),
    ("list app.json --tag |", ["t"]),
    ("list app.json --type M|", ["Metrics"]),
    ("list app.json --scope r|", ["request"]),
    ("diff app.json --from-set p|", ["parameters.mail.host="]),
    ("validate broken.json -e |", []),
    ("validate app.json --set |", ["parameters.mail.host="]),
    ("validate none.json -e |", []), ("validate -e |", []),
  ]

  @Test(arguments: LongTests.sample(lines, every: 4))
  func `bash completion offers the names of the module`(words: String, offered: [String]) throws {
    let tool = try BuiltTool(files: Self.files)
    let typed = "configdi " + words.dropLast()
    // Calls the script in the same way as bash does for a tab at the end of the line.
    let script = """
      PATH="$(dirname "$TOOL"):$PATH"
      source configdi.bash
      COMP_LINE='\(typed)'; COMP_POINT=${#COMP_LINE}
      read -r -a COMP_WORDS <<< "$COMP_LINE"
      [[ "$COMP_LINE" == *' ' ]] && COMP_WORDS+=('')
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=()
      _configdi configdi "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      [ ${#COMPREPLY[@]} = 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
      """
    try Data(script.utf8).write(to: tool.folder.appendingPathComponent("complete.bash"))
    let bash = try #require(Self.scripts["bash"]).get()
    try Data(bash.output.utf8).write(to: tool.folder.appendingPathComponent("configdi.bash"))
    let run = try tool.shell("bash complete.bash")
    #expect(run.error == "")
    let found = run.output.split(separator: "\n").map(String.init).sorted()
    // The expected list contains one code, which represents all codes.
    let codes = found.filter { $0.hasPrefix("CDI") }
    #expect(found.filter { !$0.hasPrefix("CDI") || offered.contains($0) } == offered)
    if words == "explain C|" { #expect(codes.count > 60) }
  }

  @Test(arguments: shells)
  func `the completion call of each script prints one name per line`(shell: String) throws {
    let tool = try BuiltTool(files: Self.files)
    let script = try #require(Self.scripts[shell]).get()
    #expect(script.status == 0 && script.output.contains("---completion"))
    let run = try tool.run(
      ["---completion", "validate", "--", "--environment", "4", "1", "configdi", "validate", "app.json", "-e", "p"],
      variables: ["SAP_SHELL": shell])
    #expect(run.status == 0 && run.error == "")
    #expect(run.output.split(separator: "\n").prefix(2) == ["dev", "prod"])
    // If the shell is installed, it must accept the script.
    guard try tool.shell("command -v \(shell)").status == 0 else { return }
    try Data(script.output.utf8).write(to: tool.folder.appendingPathComponent("script"))
    #expect(try tool.shell("\(shell) -n script").status == 0)
  }
}
