import FuekiSystem
import TestSupport
import Testing

/// The commands that the README and the documentation show, against the program.
struct ExampleTests {
  private static let catalogue = "Sources/FuekiBackup/FuekiBackup.docc"

  private static let pages: [String] = {
    let names = (try? Directory.open("\(SourceTree.path)/\(catalogue)").list().compactMap(\.text)) ?? []
    let articles = names.filter { $0.hasSuffix(".md") }.sorted().map { "\(catalogue)/\($0)" }
    return ["README.md", "CHANGELOG.md"] + articles
  }()

  /// The commands of a page: its indented lines that run the program, each with its continuation, and those in the text.
  private func commands(on page: String) throws -> [String] {
    let text = String(decoding: try TestVectors.file("../\(page)"), as: UTF8.self)
    var commands: [String] = []
    var isContinued = false
    for line in text.split(separator: "\n") {
      let trimmed = line.drop { $0 == " " }
      if isContinued, let last = commands.popLast() {
        commands.append(last + " " + trimmed)
      } else if line.hasPrefix("    "), trimmed.hasPrefix("fueki-backup ") {
        commands.append(String(trimmed))
      } else {
        commands += line.matches(of: /`(fueki-backup [^`]+)`/).map { String($0.1) }
        continue
      }
      isContinued = line.hasSuffix("\\")
    }
    return commands
  }

  @Test(arguments: pages)
  func `every command that is shown exists, with the options that are shown`(_ page: String) throws {
    for line in try commands(on: page) {
      let shown = line.prefix { $0 != "#" && $0 != "|" }.split(separator: " ").dropFirst()
      if shown.first?.hasPrefix("--") == true { continue }
      guard let (command, rest) = OfferedCommand.named(by: shown) else {
        Issue.record("\(page): \(line)")
        continue
      }
      let known = Set(command.names.filter { $0.kind == "long" }.map { "--" + $0.name })
      for word in rest where word.hasPrefix("--") {
        let option = String(word.prefix { $0 != "=" })
        #expect(known.contains(option), "\(page): \(line)")
      }
    }
  }

  @Test func `there are such lines`() throws {
    #expect(try Self.pages.map { try commands(on: $0).count }.reduce(0, +) > 60)
  }
}
