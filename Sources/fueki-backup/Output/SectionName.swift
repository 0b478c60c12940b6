internal import FuekiArchive
internal import FuekiBackup
internal import FuekiWallet

/// Sections by name; unknown ones by number.
enum SectionName {
  static func of(_ id: UInt16) -> String { Section(rawValue: id)?.name ?? "section-\(id)" }

  /// Returns the contents that a restore leaves in the archive: closed scopes, and unknown sections.
  static func notRestored(_ scopes: [ArchiveScope], _ sections: [UInt16]) -> [String] {
    scopes.map(\.name) + sections.map(of)
  }
}
