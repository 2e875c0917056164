// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// The services of a module, or its parameters, in several environments: each form of each part once.
struct PageSection {
  /// One thing.
  private struct Subject {
    /// Its id.
    let id: String
    /// The environments in which it is there.
    var environments = EnvironmentRuns()
    /// What it is in some environments.
    var forms: [Form] = []
    /// How many values each path has had.
    var states: [[UInt8]: Int] = [:]
  }

  /// A form of something in some environments.
  private struct Form {
    /// What it is a form of.
    let list: List
    /// What is written.
    let entries: [Value.Entry]
    /// The environments that have it.
    var environments = EnvironmentRuns()
  }

  /// The lists of forms that a thing has.
  enum List: String, CaseIterable {
    case facts, edges, parts
  }

  /// A form, or a value of a part, of one thing.
  private struct Key: Hashable {
    /// The thing.
    let subject: Int
    /// The list, or nil for a value of a part.
    let list: List?
    /// The form in UTF-8.
    let text: [UInt8]
  }

  /// The things, in the order in which they were met.
  private var subjects: [Subject] = []
  /// The place of each thing, by its id in UTF-8.
  private var numbers: [[UInt8]: Int] = [:]
  /// The place of each form among those of its thing.
  private var places: [Key: Int] = [:]
  /// The number of each value among those of its part.
  private var states: [Key: Int] = [:]

  /// The place of a thing, which is added where there is none of its id.
  mutating func number(of id: String) -> Int {
    let key = [UInt8](id.utf8)
    if let number = numbers[key] { return number }
    numbers[key] = subjects.count
    subjects.append(Subject(id: id))
    return subjects.count - 1
  }

  /// Notes that a thing is there in an environment.
  mutating func note(_ subject: Int, in environment: Int) { subjects[subject].environments.add(environment) }

  /// Adds what something is in an environment.
  mutating func add(_ entries: [Value.Entry], to list: List, of subject: Int, in environment: Int) {
    let key = Key(subject: subject, list: list, text: [UInt8](JSONWriter.text(of: .map(entries), .line).utf8))
    let place = places[key] ?? subjects[subject].forms.count
    if place == subjects[subject].forms.count {
      places[key] = place
      subjects[subject].forms.append(Form(list: list, entries: entries))
    }
    subjects[subject].forms[place].environments.add(environment)
  }

  /// Adds what a part is in an environment.
  ///
  /// - Parameter compared: What distinguishes its value from others, which does not reach the page.
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

  /// The things in JSON.
  func value(_ sets: inout EnvironmentSets) -> Value {
    var values: [Value] = []
    for subject in subjects {
      var lists: [List: [Value]] = [:]
      for form in subject.forms {
        lists[form.list, default: []].append(.map(form.entries + sets.entries(form.environments)))
      }
      let head = [Value.Entry(key: "id", value: .string(subject.id.visible))] + sets.entries(subject.environments)
      let tail = List.allCases.compactMap { list in
        lists[list].map { Value.Entry(key: list.rawValue, value: .list($0)) }
      }
      values.append(.map(head + tail))
    }
    return .list(values)
  }
}
