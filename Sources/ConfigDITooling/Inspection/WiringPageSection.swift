// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// The services or the parameters of a module in several environments. Each distinct form of a part is stored once.
struct WiringPageSection {
  /// A service or a parameter.
  private struct Subject {
    /// The id.
    let id: String
    /// The environments that have it.
    var environments = EnvironmentSet()
    /// The forms of its parts.
    var forms: [Form] = []
    /// The number of distinct values that each path has had.
    var states: [[UInt8]: Int] = [:]
  }

  /// A form of a part in some environments.
  private struct Form {
    /// The list that the form belongs to.
    let list: List
    /// The data of the form.
    let entries: [Value.Entry]
    /// The environments that have the form.
    var environments = EnvironmentSet()
  }

  /// The lists of a service or a parameter.
  enum List: String, CaseIterable {
    case facts, edges, parts
  }

  /// The key of a form, or of a value of a part.
  private struct Key: Hashable {
    /// The index of the service or parameter.
    let subject: Int
    /// The list, or `nil` for a value of a part.
    let list: List?
    /// The form, or the path and the value, in UTF-8.
    let text: [UInt8]
  }

  /// The services or parameters, in the order in which they were first used.
  private var subjects: [Subject] = []
  /// The index of each service or parameter, by its id in UTF-8.
  private var numbers: [[UInt8]: Int] = [:]
  /// The index of each form in the forms of its service or parameter.
  private var places: [Key: Int] = [:]
  /// The number of each distinct value of a part, from 0.
  private var states: [Key: Int] = [:]

  /// Returns the index for an id. Adds a service or parameter if the id is new.
  mutating func number(of id: String) -> Int {
    let key = [UInt8](id.utf8)
    if let number = numbers[key] { return number }
    numbers[key] = subjects.count
    subjects.append(Subject(id: id))
    return subjects.count - 1
  }

  /// Records that a service or parameter exists in an environment.
  mutating func record(_ subject: Int, in environment: Int) { subjects[subject].environments.add(environment) }

  /// Adds the data of a form in an environment.
  mutating func add(_ entries: [Value.Entry], to list: List, of subject: Int, in environment: Int) {
    let key = Key(subject: subject, list: list, text: [UInt8](JSONWriter.text(of: .map(entries), .line).utf8))
    let place = places[key] ?? subjects[subject].forms.count
    if place == subjects[subject].forms.count {
      places[key] = place
      subjects[subject].forms.append(Form(list: list, entries: entries))
    }
    subjects[subject].forms[place].environments.add(environment)
  }

  /// Adds a part in an environment.
  ///
  /// - Parameter compared: Distinguishes the value from other values of the part. It is not written to the page.
  mutating func addPart(
    _ path: String, _ entries: [Value.Entry], comparedAs compared: String, of subject: Int, in environment: Int
  ) {
    let path = [UInt8](path.utf8)
    let key = Key(subject: subject, list: nil, text: path + [0] + Array(compared.utf8))
    let state = states[key] ?? subjects[subject].states[path, default: 0]
    if states[key] == nil {
      states[key] = state
      subjects[subject].states[path] = state + 1
    }
    let last = state == 0 ? [] : [Value.Entry(key: "state", value: .integer(Int64(state)))]
    add(entries + last, to: .parts, of: subject, in: environment)
  }

  /// Returns the services or parameters in JSON.
  func value(_ sets: inout EnvironmentSetTable) -> Value {
    var values: [Value] = []
    for subject in subjects {
      var lists: [List: [Value]] = [:]
      for form in subject.forms {
        lists[form.list, default: []].append(.map(form.entries + sets.entries(for: form.environments)))
      }
      let head = [Value.Entry(key: "id", value: .string(subject.id.visible))] + sets.entries(for: subject.environments)
      let tail = List.allCases.compactMap { list in
        lists[list].map { Value.Entry(key: list.rawValue, value: .list($0)) }
      }
      values.append(.map(head + tail))
    }
    return .list(values)
  }
}
