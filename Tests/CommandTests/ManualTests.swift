import FoundationEssentials
import FuekiSystem
import TestSupport
import Testing

/// The man pages against the program.
struct ManualTests {
  private static let commands = OfferedCommand.all

  private static var names: [String] { commands.map(\.commandName) }

  private func page(_ name: String) throws -> [Substring] {
    let bytes = try TestVectors.file("../man/\(name)")
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
  }

  private func section(_ title: String, of name: String) throws -> [Substring] {
    let lines = try page(name)
    guard let start = lines.firstIndex(of: ".Sh \(title)") else { return [] }
    return Array(lines[(start + 1)...].prefix { !$0.hasPrefix(".Sh ") })
  }

  /// The options of a command, as pages write them after Fl.
  private static func options(of command: OfferedCommand) -> Set<String> {
    // The version is the whole program's, and has its place in fueki-backup(1).
    Set(command.names.map { $0.kind == "long" ? "-" + $0.name : $0.name }).subtracting(["-version"])
  }

  private func documented(in name: String) throws -> Set<String> {
    var documented: Set<String> = []
    for line in try section("OPTIONS", of: name) where line.hasPrefix(".It ") {
      let words = line.split(separator: " ")
      for (word, next) in zip(words, words.dropFirst()) where word == "Fl" { documented.insert(String(next)) }
    }
    return documented
  }

  @Test func `each command has a page, and each page a command`() throws {
    let pages = try Directory.open("\(SourceTree.path)/man").list().compactMap(\.text)
      .filter { $0.hasPrefix("fueki-backup-") && $0.hasSuffix(".1") }
    #expect(Set(pages) == Set(Self.names.map { "fueki-backup-\($0).1" }))
  }

  @Test(arguments: names)
  func `a command's page has each of its options and no other`(_ name: String) throws {
    let command = try #require(Self.commands.first { $0.commandName == name })
    #expect(try documented(in: "fueki-backup-\(name).1") == Self.options(of: command))
  }

  @Test func `the first page has the options that all commands have, and no other`() throws {
    let all = Self.commands.map(Self.options(of:))
    let shared = all.dropFirst().reduce(all.first ?? []) { $0.intersection($1) }
    #expect(try documented(in: "fueki-backup.1") == shared.union(["-version"]))
  }

  @Test func `each page is named in the first one`() throws {
    let lines = try page("fueki-backup.1").joined(separator: "\n")
    for name in Self.names { #expect(lines.contains("fueki-backup-\(name)(1)"), "\(name)") }
  }

  private static let renderer = "/usr/bin/mandoc"

  /// A line of an example as a reader sees it; what is not known here stays, and is not found then.
  private func shown(_ line: Substring) -> String {
    String(line).replacing("\\&", with: "").replacing("\\-", with: "-").replacing("\\(dq", with: "\"")
      .replacing("\\(aq", with: "'")
      .replacing("\\(ha", with: "^").replacing("\\('E", with: "É").replacing("\\e", with: "\\")
  }

  @Test(.enabled(if: Installed.runs(renderer, ["/dev/null"]), "this machine has no mandoc"))
  func `every line of every example is shown whole`() throws {
    let folder = "\(SourceTree.path)/man"
    var count = 0
    for name in try Directory.open(folder).list().compactMap(\.text) {
      let run = try BuiltBinary.run(
        program: Self.renderer, ["-T", "utf8", "-O", "width=500", "\(folder)/\(name)"])
      let rendered = Set(
        run.text.replacing(#/.\u{8}/#, with: "").split(separator: "\n").map { line in
          String(line.drop { $0 == " " })
        })
      var isExample = false
      for line in try page(name) {
        if line.hasPrefix(".Bd -literal") { isExample = true }
        if line == ".Ed" { isExample = false }
        guard isExample, !line.isEmpty, !line.hasPrefix(".") else { continue }
        count += 1
        let text = String(shown(line).drop { $0 == " " })
        #expect(rendered.contains(text), "\(name): \(line)")
      }
    }
    #expect(count > 100)
  }

  @Test func `the table of exit statuses is the program's`() throws {
    let source = String(
      decoding: try TestVectors.file("../Sources/fueki-backup/Messages/ExitStatus.swift"), as: UTF8.self)
    let statuses = source.split(separator: "\n").compactMap { line -> Int? in
      let words = line.split(separator: " ")
      guard words.count == 4, words[0] == "case", words[2] == "=" else { return nil }
      return Int(words[3])
    }
    let table = try section("EXIT STATUS", of: "fueki-backup.1").compactMap { line -> Int? in
      line.hasPrefix(".It ") ? Int(line.dropFirst(4)) : nil
    }
    #expect(statuses.count > 15)
    #expect(table == statuses)
    for name in Self.names {
      let own = try section("EXIT STATUS", of: "fueki-backup-\(name).1").compactMap { line -> Int? in
        line.hasPrefix(".It ") ? Int(line.dropFirst(4)) : nil
      }
      #expect(!own.isEmpty && Set(own).isSubset(of: statuses), "\(name)")
    }
  }
}
