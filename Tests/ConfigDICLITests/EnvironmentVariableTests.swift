// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

@Suite struct EnvironmentVariableTests {
  /// A module that reads two variables, one of them a secret.
  static let module = """
    {
      "configdi": 1,
      "module": "app",
      "parameters": {
        "port": { "env": "APP_PORT", "type": "int" },
        "key": { "env": "APP_KEY", "secret": true, "default": "hunter2" }
      },
      "services": { "a": { "type": "A", "values": { "port": "${port}", "key": "${key}" } } }
    }

    """

  @Test func `variables are listed`() throws {
    let tool = try BuiltTool(files: ["app.json": Self.module])
    let text = try tool.run("validate", "app.json", variables: ["APP_KEY": "s3cr3t"])
    #expect(text.status == 0)
    #expect(
      text.output == """
        environment variables:
          APP_KEY   string, set, default, secret
            for key, used by a
          APP_PORT  int, not set
            for port, used by a

        no findings; 1 service

        """)
    let json = try tool.run("validate", "app.json", "--format", "json", variables: ["APP_PORT": "1"]).json
    #expect(
      json["variables"] as? NSDictionary == [
        "APP_KEY": ["type": "string", "set": false, "default": true, "secret": true] as NSDictionary,
        "APP_PORT": ["type": "int", "set": true, "default": false, "secret": false] as NSDictionary,
      ])
    #expect(
      (json["requirements"] as? NSDictionary)?["variables"] as? NSDictionary == [
        "APP_KEY": [
          "required": false, "parameters": ["key"], "usedBy": ["a"], "environments": [:] as NSDictionary,
        ] as NSDictionary,
        "APP_PORT": [
          "required": true, "parameters": ["port"], "usedBy": ["a"], "environments": [:] as NSDictionary,
        ] as NSDictionary,
      ])
  }

  @Test func `each environment lists its variables, and a missing one refers to the layer that removed its default`()
    throws
  {
    let tool = try BuiltTool(files: [
      "app.json": #"""
      {"configdi": 1, "module": "app", "environments": {"dev": [], "prod": ["prod.json"]},
       "parameters": {"key": {"env": "KEY", "default": "x"}, "url": "x://${key}"},
       "services": {"a": {"type": "A", "values": {"url": "${url}"}}, "b": {"type": "B", "when": {"parameter": "key", "equals": "x"}}}}
      """#,
      "prod.json": #"""
      {"configdi": 1, "module": "prod", "override": {"parameters": {"key": {
        "unset": ["default"]}}, "services": {"b": {"unset": ["when"]}}}}
      """#,
    ])
    #expect(
      try tool.run("validate", "app.json").output == """
        environment variables:
          KEY  string, not set
            for key, used by a, b
            dev: default
            prod: required, its default is removed at prod.json:2:13

        no findings; 2 services in dev, prod

        """)
    let json = try tool.run("validate", "app.json", "--format", "json").json
    #expect(((json["variables"] as? NSDictionary)?["KEY"] as? NSDictionary)?["default"] as? Bool == false)
    let requirements = (json["requirements"] as? NSDictionary)?["variables"] as? NSDictionary
    #expect(
      (requirements?["KEY"] as? NSDictionary)?["environments"] as? NSDictionary == [
        "dev": ["required": false, "default": true, "set": false, "secret": false] as NSDictionary,
        "prod": [
          "required": true, "default": false, "set": false, "secret": false,
          "defaultRemoved": ["file": "prod.json", "line": 2, "column": 13] as NSDictionary,
        ] as NSDictionary,
      ])
    let missing = try tool.run("validate", "app.json", "--require-env").output
    #expect(missing.contains("variable \"KEY\" is missing and has no default"))
    #expect(missing.contains("its default is removed here"))
  }

  @Test func `a missing variable is an error if variables are required`() throws {
    let tool = try BuiltTool(files: ["app.json": Self.module, "some.env": "APP_KEY=x\n"])
    for arguments in LongTests.sample([["resolve", "app.json"], ["validate", "app.json", "--require-env"]], every: 2) {
      #expect(try tool.run(arguments + ["--format", "json"]).codes == ["CDI0405"])
    }
    let file = try tool.run(
      "validate", "app.json", "--env-file", "some.env", "--format", "json", variables: ["APP_PORT": "1"])
    #expect(try file.codes == ["CDI0405"])
    guard LongTests.isSelected else { return }
    #expect(try tool.run("validate", "app.json", "--format", "json").codes == [])
  }

  @Test func `an environment file is read literally`() throws {
    let text = "\u{FEFF}# comment=1\n\nAPP_PORT=1\r\nAPP_PORT=2525\nAPP_KEY= \"a=b\" # c\n"
    let tool = try BuiltTool(files: ["app.json": Self.module.replacing(", \"secret\": true", with: ""), "a.env": text])
    let run = try tool.run("resolve", "app.json", "--env-file", "a.env", "--format", "json")
    #expect(run.status == 0)
    let services = try run.json["services"] as? [String: NSDictionary]
    #expect(services?["a"]?["values"] as? NSDictionary == ["port": 2525, "key": " \"a=b\" # c"])
  }

  @Test func `an environment file may be a pipe or a device`() throws {
    let tool = try BuiltTool(files: ["app.json": Self.module])
    let pipe = try tool.shell(
      "mkfifo vars; echo APP_PORT=1 > vars & \"$TOOL\" validate app.json --env-file vars --format json")
    #expect(try pipe.codes == [])
    #expect(try tool.run("validate", "app.json", "--env-file", "/dev/null", "--format", "json").codes == ["CDI0405"])
    let folder = try tool.run("validate", "app.json", "--env-file", ".")
    #expect(folder.status == 64 && folder.error.contains("it is a folder"))
    guard LongTests.isSelected else { return }
    #expect(try tool.run("validate", "app.json", "--env-file", "/dev/zero").error.contains("it is a device"))
  }

  @Test func `names in an environment file compare by Unicode scalars`() throws {
    let module = Self.module.replacing("APP_PORT", with: "\u{E9}").replacing("APP_KEY", with: "e\u{301}")
      .replacing(", \"secret\": true", with: "")
    let text = "\u{E9}=1\ne\u{301}=k\n"
    let tool = try BuiltTool(files: ["app.json": module, "a.env": text, "one.env": "e\u{301}=1\n"])
    let run = try tool.run("resolve", "app.json", "--env-file", "a.env", "--format", "json")
    let services = try run.json["services"] as? [String: NSDictionary]
    #expect(services?["a"]?["values"] as? NSDictionary == ["port": 1, "key": "k"])
    #expect(try tool.run("validate", "app.json", "--env-file", "one.env", "--format", "json").codes == ["CDI0405"])
  }

  @Test func `secrets are never printed`() throws {
    let tool = try BuiltTool(files: [
      "app.json": Self.module.replacing("\"type\": \"A\"", with: "\"type\": \"A\", \"colour\": 1")
        .replacing("\"type\": \"int\" },", with: "\"type\": \"integer\" }, ").replacing(
          "\n    \"key\"", with: " \"key\"")
    ])
    let cases = ["text", "json"].flatMap { format in ["validate", "resolve"].map { (format, $0) } }
    for (format, command) in LongTests.sample(cases, every: 3) {
      let run = try tool.run(command, "app.json", "--format", format, variables: ["APP_KEY": "s3cr3t"])
      #expect(run.status == 1)
      #expect(!run.output.contains("hunter2"))
      #expect(!run.output.contains("s3cr3t"))
    }
    let valid = try BuiltTool(files: ["app.json": Self.module])
    for format in LongTests.sample(["text", "json"], every: 2) {
      let run = try valid.run(
        "resolve", "app.json", "--format", format, variables: ["APP_KEY": "s3cr3t", "APP_PORT": "1"])
      #expect(run.status == 0)
      #expect(!run.output.contains("s3cr3t"))
      #expect(!run.output.contains("hunter2"))
    }
  }
}
