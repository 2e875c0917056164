// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The manual page of the tool, in the macros of man(7), generated from the help of the tool.
struct ManualPage {
  /// A command in the output of `--experimental-dump-help`.
  private struct Command: Decodable {
    let commandName: String
    let abstract: String?
    let discussion: String?
    let arguments: [Argument]?
    let subcommands: [Command]?
  }

  /// An argument, an option or a flag.
  private struct Argument: Decodable, Hashable {
    struct Name: Decodable, Hashable {
      let kind: String
      let name: String

      /// The name as it is typed on the command line.
      var text: String { (kind == "short" ? "-" : "--") + name }
    }

    let kind: String
    let valueName: String?
    let abstract: String?
    let names: [Name]?
    let isOptional: Bool
    let isRepeating: Bool
    let allValues: [String]?
    let defaultValue: String?
  }

  /// The output of `--experimental-dump-help`.
  private struct Help: Decodable {
    let command: Command
  }

  /// The text of the page.
  let text: String

  /// The number of commands that must have an identical option for the page to describe it only once.
  private static let commonCount = 5

  /// Creates the page.
  init(help: Data, version: String) throws {
    let tool = try JSONDecoder().decode(Help.self, from: help).command
    let commands = (tool.subcommands ?? []).filter { $0.commandName != "help" }
    var counts: [Argument: Int] = [:]
    for argument in commands.flatMap({ $0.arguments ?? [] }) { counts[argument, default: 0] += 1 }
    func isCommon(_ argument: Argument) -> Bool { counts[argument] ?? 0 >= ManualPage.commonCount }
    var seen: Set<Argument> = []
    let common = commands.flatMap { $0.arguments ?? [] }.filter {
      $0.kind != "positional" && isCommon($0) && seen.insert($0).inserted
    }
    var lines = [
      #".\" Made by the tests from the help of the tool; see Tests/ConfigDICLITests/ManualTests.swift."#,
      ".TH CONFIGDI 1 2026-11-22 \"configdi \(version)\" \"User Commands\"",
      ".SH NAME", #"configdi \- check and inspect ConfigDI module files"#,
      ".SH SYNOPSIS", ".B configdi", #"\fIcommand\fR [\fIoptions\fR]"#,
      ".SH DESCRIPTION",
    ]
    lines += ManualPage.text(ManualPage.description)
    lines.append(".SH COMMANDS")
    for command in commands {
      let arguments = command.arguments ?? []
      lines += [".SS \(ManualPage.escaped(command.commandName))", ManualPage.synopsis(of: command)]
      lines += [".PP"] + ManualPage.text(command.abstract ?? "")
      if let discussion = command.discussion { lines += [".PP"] + ManualPage.text(discussion) }
      for argument in arguments where argument.kind == "positional" || !isCommon(argument) {
        lines += ManualPage.entry(argument)
      }
      let others = arguments.filter { $0.kind != "positional" && isCommon($0) }
      let names = others.compactMap { $0.names?.last?.text }.map { "\\fB\(ManualPage.escaped($0))\\fR" }
      lines += [".PP", "Common options: " + names.joined(separator: ", ") + "."]
    }
    lines.append(".SH COMMON OPTIONS")
    for argument in common { lines += ManualPage.entry(argument) }
    lines.append(".SH EXIT STATUS")
    for (status, words) in ManualPage.statuses { lines += [".TP", ".B \(status)"] + ManualPage.text(words) }
    lines.append(".SH ENVIRONMENT")
    for (name, words) in ManualPage.variables { lines += [".TP", ".B \(name)"] + ManualPage.text(words) }
    text = lines.map { $0 + "\n" }.joined()
  }

  // MARK: - Parts

  /// The description of the tool.
  private static let description = """
    ConfigDI wires an application from the services that module files declare. configdi checks, shows, compares and \
    changes such files without the application. A module is given by the file of its entry module; the file extension determines \
    the syntax, and - is the standard input.

    Each finding has a code: configdi explain CDI0501 explains one.
    """

  /// The exit statuses, with their meanings.
  private static let statuses = [
    ("0", "Success; there may be warnings."),
    ("1", "There are findings that count as errors, or the requested item does not exist."),
    ("64", "Wrong usage."),
    ("74", "A file or the output could not be written."),
  ]

  /// The environment variables that the tool itself reads.
  private static let variables = [
    ("NO_COLOR", "If it is set and not empty, output on a terminal has no colours."),
    ("TERM", "If it is dumb, output on a terminal has no colours."),
  ]

  /// Returns the synopsis of a command.
  private static func synopsis(of command: Command) -> String {
    let positional = (command.arguments ?? []).filter { $0.kind == "positional" }.map { argument in
      let name = "\\fI\(escaped(argument.valueName ?? ""))\\fR" + (argument.isRepeating ? " ..." : "")
      return argument.isOptional ? "[\(name)]" : name
    }
    return (["\\fBconfigdi \(escaped(command.commandName))\\fR", "[\\fIoptions\\fR]"] + positional).joined(
      separator: " ")
  }

  /// Returns an argument with its description.
  private static func entry(_ argument: Argument) -> [String] {
    let value = "\\fI\(escaped(argument.valueName ?? ""))\\fR"
    var head = value
    if argument.kind != "positional" {
      head = (argument.names ?? []).map { "\\fB\(escaped($0.text))\\fR" }.joined(separator: ", ")
      if argument.kind == "option" { head += " " + value }
    }
    var words = argument.abstract ?? ""
    if let values = argument.allValues, !values.isEmpty { words += " One of: \(values.joined(separator: ", "))." }
    if let value = argument.defaultValue { words += " Default: \"\(value)\"." }
    return [".TP", head] + text(words)
  }

  /// Returns a text as paragraphs. Indented lines are examples and keep their line breaks.
  private static func text(_ text: String) -> [String] {
    var lines: [String] = []
    var isExample = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isNext = line.hasPrefix("  ")
      if isNext != isExample {
        lines.append(isNext ? ".EX" : ".EE")
        isExample = isNext
      }
      if line.isEmpty {
        if lines.last != ".EE" { lines.append(".PP") }
      } else if line == "EXAMPLES:" {
        lines.append("Examples:")
      } else {
        lines.append(escaped(String(line)))
      }
    }
    return lines + (isExample ? [".EE"] : [])
  }

  /// Returns a text in which the signs of man(7) are escaped.
  private static func escaped(_ text: String) -> String {
    let signs: [Character: String] = [
      "\\": #"\e"#, "-": #"\-"#, "'": #"\(aq"#, "`": #"\(ga"#, "^": #"\(ha"#, "~": #"\(ti"#,
    ]
    let escaped = text.map { signs[$0] ?? String($0) }.joined()
    return escaped.hasPrefix(".") ? #"\&"# + escaped : escaped
  }
}
