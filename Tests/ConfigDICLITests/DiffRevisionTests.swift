// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

/// `configdi diff` with different layers, settings or git revisions on the two sides.
@Suite struct DiffRevisionTests {
  /// A module in a subfolder, with a layer and an import.
  private static let files = [
    "config/app.json": #"""
    {"configdi": 1, "module": "app", "imports": ["parts/mail.json"], "environments": {"prod": ["prod.json"]},
     "parameters": {"host": "localhost"}, "services": {"s": {"type": "S", "values": {"host": "${host}"}}}}
    """#,
    "config/parts/mail.json": #"{"configdi": 1, "module": "mail", "services": {"mail": {"type": "Old"}}}"#,
    "config/prod.json":
      #"{"configdi": 1, "module": "prod", "override": {"parameters": {"host": "old.example.net"}}}"#,
    "hot.json": #"{"configdi": 1, "module": "hot", "override": {"services": {"mail": {"type": "Hot"}}}}"#,
    ".gitignore": "local.json\n",
  ]

  /// Creates a repository with one commit. In the working folder, a layer and an import differ from the commit.
  private static func repository() throws -> BuiltTool {
    let tool = try BuiltTool(files: files)
    let setUp = try tool.shell(
      """
      git init -q -b main . && git add -A && git -c user.name=n -c user.email=e@e commit -q -m one && git tag v1 \
      && sed -i.bak 's/Old/New/' config/parts/mail.json && sed -i.bak 's/old[.]/new./' config/prod.json \
      && rm config/*.bak config/parts/*.bak
      """)
    try #require(setUp.status == 0, "\(setUp.error)")
    return tool
  }

  /// The difference from the commit to the working folder.
  private static let difference = """
    services:
      ~ mail
          type  "Old" -> "New"
      ~ s
          values.host  "old.example.net" -> "new.example.net"

    parameters:
      ~ host
          value  "old.example.net" -> "new.example.net"

    2 services changed; 1 parameter changed

    """

  @Test func `a side can be a git revision, with its imports and layers`() throws {
    let tool = try Self.repository()
    for revision in LongTests.sample(["main", "v1", "HEAD"], every: 3) {
      let run = try tool.run("diff", "config/app.json", "-e", "prod", "--from-git", revision)
      #expect(run.status == 0 && run.error == "")
      #expect(run.output == "from prod at \(revision) to prod\n\n" + Self.difference)
    }
    let below = try tool.shell("cd config/parts && $TOOL diff ../app.json -e prod --from-git main")
    #expect(below.output == "from prod at main to prod\n\n" + Self.difference)
    let back = try tool.run("diff", "config/app.json", "-e", "prod", "--to-git", "main", "--format", "json").json
    #expect(back["from"] as? String == "prod" && back["to"] as? String == "prod at main")
    let same = try tool.run("diff", "config/app.json", "--from-git", "main", "--to-git", "v1", "--exit-code")
    #expect(same.status == 0)
    #expect(same.output == "no difference between config/app.json at main and config/app.json at v1\n")
  }

  @Test func `git variables of a hook do not select another repository`() throws {
    let tool = try Self.repository()
    let run = try tool.shell("GIT_DIR=/nowhere $TOOL diff config/app.json -e prod --from-git main")
    #expect(run.status == 0 && run.output.hasSuffix(Self.difference))
  }

  @Test func `a missing revision, file or repository is reported`() throws {
    let tool = try Self.repository()
    for revision in LongTests.sample(["--help", "nope", "main:config"], every: 3) {
      let run = try tool.run(["diff", "config/app.json", "--from-git=\(revision)"])
      #expect(run.status == 64 && run.output == "")
      #expect(run.error.contains("\"\(revision)\" is not a revision of the repository "), "\(run.error)")
    }
    let new = try tool.shell("cp config/app.json config/new.json; $TOOL diff config/new.json --from-git main")
    #expect(new.status == 1 && new.output == "")
    #expect(new.error.hasPrefix("error[CDI0107]: file \"config/new.json\" does not exist\n --> main:config/new.json"))
    let none = try tool.shell("PATH=/none; $TOOL diff config/app.json --from-git main")
    #expect(none.status == 64 && none.error.contains("git is not installed, or not in PATH"))
    let outside = try BuiltTool(files: Self.files).run("diff", "config/app.json", "--to-git", "main")
    #expect(outside.status == 64 && outside.error.contains("not a git repository"))
    let input = try tool.run("diff", "-", "--syntax", "json", "--to-git", "main", input: "{}")
    #expect(input.status == 64 && input.error.contains("A module on standard input has no revision."))
  }

  @Test func `errors of a revision are located in its files, ignored files are read from the disk`() throws {
    let tool = try Self.repository()
    let broken = try tool.shell(
      """
      sed -i.bak 's/"Old"/"Old", "inject": {"x": "lost"}/; s/"New"/"New", "inject": {"x": "lost"}/' config/parts/mail.json
      git -c user.name=n -c user.email=e@e commit -q -a -m two; git checkout -q v1 -- config/parts/mail.json
      $TOOL diff config/app.json --from-git main
      """)
    #expect(broken.status == 1)
    #expect(broken.error.contains("error[CDI0501]") && broken.error.contains("--> main:config/parts/mail.json:1:"))
    let layer = #"{"configdi": 1, "module": "l", "override": {"services": {"mail": {"type": "Local"}}}}"#
    try Data(layer.utf8).write(to: tool.folder.appendingPathComponent("local.json"))
    let run = try tool.run(
      "diff", "config/app.json", "--from-git", "v1", "--to-git", "v1", "--from-layer", "local.json")
    #expect(run.output.contains("type  \"Local\" -> \"Old\"\n"))
  }

  @Test func `layers and settings apply to one side`() throws {
    let tool = try BuiltTool(files: Self.files)
    let layer = try tool.run("diff", "config/app.json", "-e", "prod", "--to-layer", "hot.json")
    #expect(
      layer.output == """
        from prod to prod with hot.json

        services:
          ~ mail
              type  "Old" -> "Hot"

        1 service changed

        """)
    let setting = try tool.run(
      "diff", "config/app.json", "--from-layer", "hot.json", "--from-set", "parameters.host=a", "--to-set",
      "parameters.host=b")
    #expect(
      setting.output.hasPrefix("from config/app.json with hot.json, parameters.host set to config/app.json with "))
    #expect(setting.output.contains("value  \"a\" -> \"b\"\n") && setting.output.contains("\"Hot\" -> \"Old\"\n"))
    guard LongTests.isSelected else { return }
    let missing = try tool.run("diff", "config/app.json", "--to-layer", "none.json", "--format", "json")
    #expect(missing.status == 1)
    #expect(try missing.codes == ["CDI0301"])
  }

  /// Arguments that are usage errors, with the messages. The usual run takes a sample.
  private static let wrong = LongTests.sample(
    [
      (["app.json"], "diff requires --from and --to, --against, or a side option."),
      (["app.json", "--from", "a"], "diff requires --from and --to together."),
      (["app.json", "--from", "a", "--to", "b", "-e", "c"], "--environment is for both sides"),
      (["app.json", "--to-set", "secret"], "--to-set requires PATH=TEXT."),
      (["app.json", "--from-set", "secret"], "--from-set requires PATH=TEXT."),
    ], every: 5)

  @Test(arguments: wrong)
  func `usage errors`(arguments: [String], message: String) throws {
    let run = try BuiltTool(files: DiffTests.files).run(["diff"] + arguments)
    #expect(run.status == 64 && run.output == "" && run.error.contains(message))
    #expect(!run.error.contains("secret\""))
  }
}
