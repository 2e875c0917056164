// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

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
          APP_PORT  int, not set

        no findings; 1 service

        """)
    let json = try tool.run("validate", "app.json", "--format", "json", variables: ["APP_PORT": "1"]).json
    #expect(
      json["variables"] as? NSDictionary == [
        "APP_KEY": ["type": "string", "set": false, "default": true, "secret": true],
        "APP_PORT": ["type": "int", "set": true, "default": false, "secret": false],
      ])
  }

  @Test func `a missing variable is an error where variables are required`() throws {
    let tool = try BuiltTool(files: ["app.json": Self.module, "some.env": "APP_KEY=x\n"])
    #expect(try tool.run("validate", "app.json", "--format", "json").codes == [])
    #expect(try tool.run("validate", "app.json", "--require-env", "--format", "json").codes == ["CDI0405"])
    #expect(try tool.run("resolve", "app.json", "--format", "json").codes == ["CDI0405"])
    let file = try tool.run(
      "validate", "app.json", "--env-file", "some.env", "--format", "json", variables: ["APP_PORT": "1"])
    #expect(try file.codes == ["CDI0405"])
  }

  @Test func `an environment file is taken literally`() throws {
    let text = "\u{FEFF}# comment=1\n\nAPP_PORT=1\r\nAPP_PORT=2525\nAPP_KEY= \"a=b\" # c\n"
    let tool = try BuiltTool(files: ["app.json": Self.module.replacing(", \"secret\": true", with: ""), "a.env": text])
    let run = try tool.run("resolve", "app.json", "--env-file", "a.env", "--format", "json")
    #expect(run.status == 0)
    let services = try run.json["services"] as? [String: NSDictionary]
    #expect(services?["a"]?["values"] as? NSDictionary == ["port": 2525, "key": " \"a=b\" # c"])
  }

  @Test func `secrets are never printed`() throws {
    let tool = try BuiltTool(files: [
      "app.json": Self.module.replacing("\"type\": \"A\"", with: "\"type\": \"A\", \"colour\": 1")
        .replacing("\"type\": \"int\" },", with: "\"type\": \"integer\" }, ").replacing(
          "\n    \"key\"", with: " \"key\"")
    ])
    for format in ["text", "json"] {
      for command in ["validate", "resolve"] {
        let run = try tool.run(command, "app.json", "--format", format, variables: ["APP_KEY": "s3cr3t"])
        #expect(run.status == 1)
        #expect(!run.output.contains("hunter2"))
        #expect(!run.output.contains("s3cr3t"))
      }
    }
    let sound = try BuiltTool(files: ["app.json": Self.module])
    for format in ["text", "json"] {
      let run = try sound.run(
        "resolve", "app.json", "--format", format, variables: ["APP_KEY": "s3cr3t", "APP_PORT": "1"])
      #expect(run.status == 0)
      #expect(!run.output.contains("s3cr3t"))
      #expect(!run.output.contains("hunter2"))
    }
  }
}
