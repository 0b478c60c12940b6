public import FuekiArchive

/// Why a selection of sections cannot be used.
public enum SelectionError: Error, Equatable, Sendable {
  /// No scope and no section has the name; another comes nearest to it.
  case unknown(name: String, nearest: String)
  /// The manifest is in every archive and cannot be left out.
  case manifestIsNeeded
}

/// The sections that `--only` and `--exclude` leave.
public struct SectionSelection: Equatable, Sendable {
  /// Every section.
  public static let everything = SectionSelection(sections: Set(Section.allCases))

  /// The chosen sections; the manifest is always among them.
  public let sections: Set<Section>

  private init(sections: Set<Section>) { self.sections = sections.union([.manifest]) }

  /// Reads the names of scopes and sections, each element one name or several with commas between.
  ///
  /// With nothing in `only`, everything is chosen that is not excluded.
  ///
  /// - Throws: ``SelectionError`` for a name that is not known, or for an excluded manifest.
  public init(only: [String], exclude: [String]) throws(SelectionError) {
    let wanted = try Self.sections(named: only)
    let unwanted = try Self.sections(named: exclude)
    for name in Self.names(in: exclude) where Section(name: name) == .manifest { throw .manifestIsNeeded }
    let start = only.isEmpty ? Set(Section.allCases) : wanted
    self.init(sections: start.subtracting(unwanted))
  }

  /// What of this is among some sections.
  public func only(_ wanted: Set<Section>) -> SectionSelection {
    SectionSelection(sections: sections.intersection(wanted))
  }

  /// Whether a section is chosen.
  public func contains(_ section: Section) -> Bool { sections.contains(section) }

  /// Whether some section of a scope is chosen, the manifest not counted.
  public func touches(_ scope: ArchiveScope) -> Bool {
    sections.contains { $0.scope == scope && $0 != .manifest }
  }

  private static func names(in lists: [String]) -> [String] {
    lists.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map {
      String($0.drop { $0 == " " })
    }
  }

  private static func sections(named lists: [String]) throws(SelectionError) -> Set<Section> {
    var sections: Set<Section> = []
    for name in names(in: lists) {
      if let scope = ArchiveScope(name: name) {
        sections.formUnion(scope.sections)
      } else if let section = Section(name: name) {
        sections.insert(section)
      } else {
        throw .unknown(name: name, nearest: nearest(to: name))
      }
    }
    return sections
  }

  private static func nearest(to name: String) -> String {
    let known = ArchiveScope.allCases.map(\.name) + Section.allCases.map(\.name)
    let wanted = Array(name.utf8.prefix(64))
    let ranked = known.map { (name: $0, distance: editDistance(wanted, Array($0.utf8))) }
    return ranked.min { $0.distance < $1.distance }?.name ?? Section.wallets.name
  }

  private static func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let replaced = diagonal + (x == y ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[b.count]
  }
}
