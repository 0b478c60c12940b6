import FuekiSystem
import TestSupport
import Testing

/// The README against the program, the library's example, and the package.
struct ReadmeTests {
  private static func lines(of path: String) throws -> [Substring] {
    String(decoding: try TestVectors.file("../\(path)"), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The lines of the first block that is marked with a language.
  private static func block(_ language: String) throws -> [Substring] {
    let lines = try lines(of: "README.md")
    let start = try #require(lines.firstIndex(of: "```\(language)"), "the README has no block of \(language)")
    return Array(lines[(start + 1)...].prefix { $0 != "```" })
  }

  @Test func `the lines for many vaults have options that the commands have`() throws {
    let lines = try Self.block("sh").filter { $0.contains("--expected") || $0.contains("--write-expected") }
    #expect(lines.count == 3)
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      let help = try BuiltBinary.run([words[1], "--help-all"]).text
      for option in words where option.hasPrefix("--") { #expect(help.contains("\(option) "), "\(option)") }
    }
  }

  /// Digests, times and durations differ from run to run; sizes depend on the build.
  private func masked(_ line: some StringProtocol) -> String {
    String(line).replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]+Z/, with: "T")
      .replacing(/[0-9]{8}T[0-9]{6}Z/, with: "T")
      .replacing(/[0-9a-f]{8,}/, with: "H")
      .replacing(#/[0-9.]+ (?:ms|s|kB|KB|KiB|MB|MiB|bytes)\b/#, with: "N")
      .replacing(#/ +/#, with: " ")
  }

  /// Returns whether a printed line matches the shown one, in which a final "…" represents the rest.
  private func isShown(_ printed: String, as shown: String) -> Bool {
    shown.hasSuffix("…") ? printed.hasPrefix(shown.dropLast()) : printed == shown
  }

  @Test func `demo prints what is shown, in this order`() throws {
    let shown = try Self.block("text").map(masked)
    #expect(shown.count >= 10 && shown.count <= 16)
    let run = try BuiltBinary.run(["demo"]).expect(0)
    var rest = run.text.split(separator: "\n").map(masked)[...]
    for line in shown {
      let found = rest.firstIndex { isShown($0, as: line) }
      let place = try #require(found, "not here: \(line)\n\(run.text)")
      rest = rest[(place + 1)...]
    }
  }

  @Test func `the library's lines are those of the example that is built`() throws {
    var example = try Self.lines(of: "Tests/Example/Sources/Example/Example.swift")[...]
    let shown = try Self.block("swift")
    #expect(shown.count == 12)
    for paragraph in shown.split(separator: "") {
      let place = try #require(example.firstRange(of: paragraph), "\(paragraph)")
      example = example[place.upperBound...]
    }
  }

  @Test func `the page for apps has the example's dependency, and the modules of both products`() throws {
    let page = try Self.lines(of: "Sources/FuekiBackup/FuekiBackup.docc/Library.md")
    let dependency = #".product(name: "FuekiData", package: "fueki-backup")"#
    for lines in [page, try Self.lines(of: "Tests/Example/Package.swift")] {
      #expect(lines.contains { $0.contains(dependency) })
    }
    let rows = page.filter { $0.hasPrefix("| `Fueki") }.map { $0.split(separator: "|") }
    let products = try Self.lines(of: "Package.swift").joined(separator: "\n")
      .matches(of: /\.library\(\s*name: "(\w+)",\s*targets: \[([^\]]*)\]/)
    #expect(products.map { String($0.1) } == ["FuekiBackup", "FuekiData"])
    for product in products {
      let shown = rows.filter { $0[1] == " both " || $0[1] == " `\(product.1)` " }
      #expect(
        Set(shown.map { $0[0].filter(\.isLetter) }) == Set(product.2.matches(of: /\w+/).map { String($0.0) }))
    }
  }

  @Test func `the version is the program's`() throws {
    let version = try BuiltBinary.run(["--version"]).text.split(separator: " ").last ?? ""
    let number = version.prefix { !$0.isNewline }
    let text = try Self.lines(of: "README.md").joined(separator: "\n")
    #expect(text.contains("fueki-backup_\(number)_amd64.deb"), "\(number)")
    #expect(text.contains("version \(number)"), "\(number)")
    let changes = try Self.lines(of: "CHANGELOG.md")
    #expect(changes.contains { $0.hasPrefix("## \(number)") }, "\(number)")
  }
}
