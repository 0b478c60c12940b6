import FuekiSystem
import TestSupport
import Testing

/// The picture of the modules in the article on the architecture is that of `Package.swift`.
struct ArchitectureTests {
  /// From a module to another that it is built on.
  private struct Edge: Hashable, CustomStringConvertible {
    let from: String
    let to: String
    var description: String { "\(from) → \(to)" }
  }

  @Test func `the picture has the dependencies of the modules, and no others`() throws {
    let package = String(decoding: try TestVectors.file("../Package.swift"), as: UTF8.self)
    let article = String(
      decoding: try TestVectors.file("../Sources/FuekiBackup/FuekiBackup.docc/Architecture.md"), as: UTF8.self
    )
    let drawn = Self.edges(ofPicture: try #require(article.split(separator: "```")[safe: 1]))
    let built = Self.edges(ofPackage: package)
    #expect(built.count > 12)
    for edge in drawn.symmetricDifference(built).sorted(by: { $0.description < $1.description }) {
      Issue.record("\(edge) is only in \(drawn.contains(edge) ? "the picture" : "Package.swift")")
    }
  }

  /// The dependencies among the program's own modules, without those that a longer way implies.
  private static func edges(ofPackage text: String) -> Set<Edge> {
    let target =
      /\.(?:executableTarget|target)\(\s*name: "(Fueki\w+|fueki-backup)"(?:,\s*dependencies: \[([^\]]*)\])?/
    var needed: [String: Set<String>] = [:]
    for match in text.matches(of: target) {
      needed[String(match.1)] = Set((match.2 ?? "").matches(of: /"([\w-]+)"/).map { String($0.1) })
    }
    func all(below name: String) -> Set<String> {
      needed[name, default: []].reduce(into: []) { $0.formUnion(all(below: $1).union([$1])) }
    }
    var edges: Set<Edge> = []
    for (name, below) in needed {
      let own = below.filter { needed[$0] != nil }
      let implied = own.reduce(into: Set<String>()) { $0.formUnion(all(below: $1)) }
      edges.formUnion(own.subtracting(implied).map { Edge(from: name, to: $0) })
    }
    return edges
  }

  /// The edges of a drawing in which lines lead from the names above them to the names below them.
  private static func edges(ofPicture text: Substring) -> Set<Edge> {
    let rows = text.split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
    func character(_ place: Place) -> Character? { rows[safe: place.row]?[safe: place.column] }
    func name(_ place: Place) -> String? {
      guard let row = rows[safe: place.row], row[safe: place.column]?.isName == true else { return nil }
      let begin = row[..<place.column].lastIndex { !$0.isName }.map { $0 + 1 } ?? 0
      return String(row[begin...].prefix(while: \.isName))
    }
    var seen: Set<Place> = []
    var edges: Set<Edge> = []
    for row in rows.indices {
      for column in rows[row].indices {
        var (above, below): (Set<String>, Set<String>) = ([], [])
        var open = [Place(row: row, column: column)]
        while let place = open.popLast() {
          guard let arms = character(place)?.arms, seen.insert(place).inserted else { continue }
          for arm in arms {
            let next = Place(row: place.row + arm.row, column: place.column + arm.column)
            open.append(next)
            guard let name = name(next) else { continue }
            if arm.row < 0 { above.insert(name) } else { below.insert(name) }
          }
        }
        for from in above { edges.formUnion(below.map { Edge(from: from, to: $0) }) }
      }
    }
    return edges
  }

  /// A character's place in the drawing, or the way to a neighbour's.
  fileprivate struct Place: Hashable {
    let row: Int
    let column: Int
    static let (up, down) = (Place(row: -1, column: 0), Place(row: 1, column: 0))
    static let (left, right) = (Place(row: 0, column: -1), Place(row: 0, column: 1))
  }
}

extension Character {
  fileprivate var isName: Bool { isLetter || self == "-" }

  /// Where a line goes on from here; nil of other characters.
  fileprivate var arms: [ArchitectureTests.Place]? {
    switch self {
    case "│": [.up, .down]
    case "─": [.left, .right]
    case "┌": [.down, .right]
    case "┐": [.down, .left]
    case "└": [.up, .right]
    case "┘": [.up, .left]
    case "┬": [.left, .right, .down]
    case "┴": [.left, .right, .up]
    case "┼": [.up, .down, .left, .right]
    default: nil
    }
  }
}

extension Collection {
  fileprivate subscript(safe index: Index) -> Element? { indices.contains(index) ? self[index] : nil }
}
