// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// The files that parameters may read: those that imports may reach, also by absolute paths.
@Suite struct SourcePathTests {
  /// Returns the codes of the findings in a module in `/srv/app` with one parameter that reads a file.
  private func codes(_ path: String, _ options: LoadedModule.Options = .init()) -> [String] {
    let files = MemoryFiles(
      texts: [
        "/srv/app/app.json": module(#""parameters": {"p": {"file": "\#(path)", "default": "x"}}"#), "/srv/app/key": "a",
        "/srv/key": "b", "/run/secrets/key": "c", "/run/secrets2/key": "d",
      ], workingFolder: "/srv")
    return LoadedModule(files, options, entry: .file("app/app.json")).reported
  }

  @Test(arguments: ["key", "./key", "sub/../key", "/srv/app/key", "/srv/app/gone", "../app/key"])
  func `a file below the root is read, however its path is written`(path: String) {
    #expect(codes(path) == [])
  }

  @Test(arguments: [
    "../key", "../gone", "/srv/key", "/etc/passwd", "/srv/app/../key", "/run/secrets/key", "/srv/app2/key",
  ])
  func `a file outside the root is rejected, whether or not it exists`(path: String) {
    let reported = codes(path)
    #expect(
      reported.count == 1 && reported.allSatisfy { $0.hasPrefix("app/app.json:") && $0.hasSuffix("CDI0303") },
      "\(reported)"
    )
  }

  @Test func `the caller allows more files by the root or by further paths`() {
    #expect(codes("../key", .init(root: ".")) == [])
    #expect(codes("/run/secrets/key", .init(allowedPaths: ["/run/secrets"])) == [])
    #expect(codes("/run/secrets/key", .init(allowedPaths: ["gone", "../run/secrets/key"])) == [])
    #expect(codes("/run/secrets2/key", .init(allowedPaths: ["/run/secrets"])).count == 1)
    #expect(codes("../key", .init(allowedPaths: ["/run/secrets"])).count == 1)
  }

  @Test func `imports may use the allowed paths, by relative paths`() {
    let texts = [
      "/srv/app/app.json": module(#""imports": ["../common/part.json"]"#), "srv/common/part.json": module(),
    ]
    let entry = Entry.file("srv/app/app.json")
    #expect(LoadedModule(MemoryFiles(texts: texts), entry: entry).reported.count == 1)
    #expect(LoadedModule(MemoryFiles(texts: texts), .init(allowedPaths: ["srv/common"]), entry: entry).reported == [])
  }

  @Test func `a file replaced by an override is not read, and its path is not checked`() {
    expectFindings(
      in: [
        "app.json": module(#""parameters": {"p": {"file": "../../x", "default": "x"}}"#),
        "l.json": module(#""override": {"parameters": {"p": {"env": "P", "default": "y"}}}"#),
      ], environments: [], layers: ["l.json"], root: "/srv")
  }

  @Test func `symbolic links are resolved before the path is checked`() throws {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appending(path: "configdi-\(UUID().uuidString)")
    defer { try? manager.removeItem(at: folder) }
    for path in ["root", "secrets/..data"] {
      try manager.createDirectory(at: folder.appending(path: path), withIntermediateDirectories: true)
    }
    try Data("hunter2".utf8).write(to: folder.appending(path: "secrets/..data/key"))
    // The same links as for a secret that Kubernetes mounts.
    let secrets = folder.appending(path: "secrets").path
    try manager.createSymbolicLink(atPath: secrets + "/key", withDestinationPath: "..data/key")
    try manager.createSymbolicLink(atPath: folder.path + "/root/link", withDestinationPath: "../secrets/key")
    try Data(
      module(#""parameters": {"p": {"file": "link"}}, "services": {"s": {"type": "S", "values": {"p": "${p}"}}}"#).utf8
    )
    .write(to: folder.appending(path: "root/app.json"))
    let files = DiskFiles(workingFolder: folder.path)
    let entry = Entry.file("root/app.json")
    #expect(LoadedModule(files, entry: entry).reported.map { $0.suffix(7) } == ["CDI0303"])
    let allowed = LoadedModule(files, .init(allowedPaths: ["secrets"]), entry: entry)
    #expect(allowed.reported == [])
    #expect(allowed.resolved?.parameter("p") == "hunter2")
  }
}
