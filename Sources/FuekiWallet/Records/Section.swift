public import FuekiArchive

extension ArchiveScope {
  /// Finds the scope with a name.
  init?(name: String) {
    guard let scope = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = scope
  }

  /// The scope's sections, in ascending id.
  public var sections: [Section] { Section.allCases.filter { $0.scope == self } }
}

/// A kind of record in an archive, by its id.
///
/// See fueki-archive(5), "Sections". The ids never change.
public enum Section: UInt16, CaseIterable, Comparable, Sendable {
  /// The archive's description of itself: exactly one record.
  case manifest = 1
  /// Wallets and their sync points.
  case wallets = 2
  /// The wallets' assets.
  case assets = 3
  /// The address book.
  case contacts = 4
  /// Settings, one record each.
  case settings = 5
  /// The public part of the key shares.
  case keyShareDescriptors = 6
  /// Verifiable credentials.
  case credentials = 7
  /// Files that are public, or encrypted by their own wallet.
  case files = 8
  /// Transactions.
  case transactions = 32
  /// Receipts of transactions.
  case receipts = 33
  /// Presentations of credentials.
  case credentialSharing = 34
  /// Presentations of ID tokens.
  case idTokenSharing = 35
  /// Participants in threads.
  case users = 36
  /// Threads of messages.
  case threads = 37
  /// Messages.
  case messages = 38
  /// Key shares, each sealed a second time.
  case keyShares = 64
  /// Private keys and seed phrases.
  case privateKeys = 65
  /// Files with unencrypted secrets.
  case secretFiles = 66

  /// The name on the command line, and the key in JSON documents.
  public var name: String { kind.name }

  /// Finds the section with a name.
  public init?(name: String) {
    guard let section = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = section
  }

  /// The scope of the id's range.
  public var scope: ArchiveScope {
    switch rawValue {
    case ..<32: .profile
    case ..<64: .history
    default: .secrets
    }
  }

  /// Orders sections as in an archive.
  public static func < (a: Section, b: Section) -> Bool { a.rawValue < b.rawValue }
}

/// Why a selection of sections is invalid.
public enum SelectionError: Error, Equatable, Sendable {
  /// No scope or section has the name.
  ///
  /// The nearest name is suggested.
  case unknown(name: String, nearest: String)
  /// Every archive has the manifest, which cannot be excluded.
  case manifestIsNeeded
}

/// The sections selected by `--only` and `--exclude`.
public struct SectionSelection: Equatable, Sendable {
  /// Every section.
  public static let everything = SectionSelection(sections: Set(Section.allCases))

  /// The selected sections, which always include the manifest.
  public let sections: Set<Section>

  private init(sections: Set<Section>) { self.sections = sections.union([.manifest]) }

  /// Parses the names of scopes and sections.
  ///
  /// Each element may have several, separated by commas.
  ///
  /// If `only` is empty, everything not excluded is selected.
  ///
  /// - Throws: ``SelectionError`` for an unknown name, or an excluded manifest.
  public init(only: [String], exclude: [String]) throws(SelectionError) {
    let wanted = try Self.sections(named: only)
    let unwanted = try Self.sections(named: exclude)
    for name in Self.names(in: exclude) where Section(name: name) == .manifest { throw .manifestIsNeeded }
    let start = only.isEmpty ? Set(Section.allCases) : wanted
    self.init(sections: start.subtracting(unwanted))
  }

  /// Returns the selection restricted to some sections.
  public func only(_ wanted: Set<Section>) -> SectionSelection {
    SectionSelection(sections: sections.intersection(wanted))
  }

  /// Whether a section is selected.
  public func contains(_ section: Section) -> Bool { sections.contains(section) }

  /// Whether any section of a scope except the manifest is selected.
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
