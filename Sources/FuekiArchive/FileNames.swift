internal import FuekiCrypto

/// The name of an archive's file.
///
/// It is for people: nothing is believed because of it.
package enum ArchiveName {
  /// Its end.
  package static let suffix = ".fueki"

  /// Whether a file in a target's folder is an archive, a recovery file of one or an unfinished one, by its name.
  package static func isOwnFile(named name: String) -> Bool {
    name.hasSuffix(suffix) || ParityName.isOne(name) || ParityName.isSetAside(name)
      || TemporaryName.isOne(name)
  }
}

/// The names of the recovery files that PAR2 keeps next to an archive.
package enum ParityName {
  /// Whether it is a recovery file of an archive's, or a copy or a transfer of one: no archive, whatever it holds.
  package static func isOne(_ name: String) -> Bool {
    guard let rest = rest(of: name) else { return false }
    return rest.contains("par2")
  }

  /// Whether it is a recovery file of the archive of this name: `NAME.par2`, or `NAME.vol3+5.par2`.
  package static func isOne(_ name: String, of archive: String) -> Bool {
    guard name.utf8.starts(with: archive.utf8) else { return false }
    let rest = Substring(name.utf8.dropFirst(archive.utf8.count))
    if rest == ".par2" { return true }
    guard rest.hasPrefix(".vol"), rest.hasSuffix(".par2") else { return false }
    let numbers = rest.dropFirst(4).dropLast(5).split(separator: "+", omittingEmptySubsequences: false)
    return numbers.count == 2
      && numbers.allSatisfy { !$0.isEmpty && $0.count <= 6 && $0.allSatisfy { "0"..."9" ~= $0 } }
  }

  /// A name without the number that a browser gave to a second copy, such as `NAME.vol3+5 (1).par2`; nil if it has none.
  package static func withoutNumber(_ name: String) -> String? {
    for suffix in [ArchiveName.suffix, ".par2"] where name.hasSuffix(suffix) && name.hasSuffix(")\(suffix)") {
      let stem = name.dropLast(suffix.count + 1)
      let digits = stem.reversed().prefix { "0"..."9" ~= $0 }.count
      guard 1...3 ~= digits, stem.dropLast(digits).hasSuffix("(") else { continue }
      var rest = stem.dropLast(digits + 1)
      if rest.hasSuffix(" ") { rest = rest.dropLast() }
      if !rest.isEmpty { return rest + suffix }
    }
    return nil
  }

  /// Whether it is a damaged archive that was kept when its repaired copy took its name.
  package static func isSetAside(_ name: String) -> Bool { rest(of: name)?.hasPrefix("damaged-") ?? false }

  /// Returns the part after an archive's name and a dot, in lower case.
  private static func rest(of name: String) -> Substring? {
    let lower = name.lowercased()
    let mark = "\(ArchiveName.suffix)."
    var start = lower.startIndex
    while start < lower.endIndex {
      let here = lower[start...]
      if here.hasPrefix(mark) { return here.dropFirst(mark.count) }
      start = lower.index(after: start)
    }
    return nil
  }
}

/// Names for files that must not be mistaken for archives.
package enum TemporaryName {
  private static let prefix = ".fueki-"
  private static let suffix = ".tmp"
  /// The suffix that a newer rclone adds during an upload.
  private static let rclonesSuffix = ".partial"

  /// The id in the names of a trial's files, in place of a machine's.
  package static let trial = "trial"

  /// Makes a unique name that sync programs ignore.
  package static func make(for machine: String) -> String {
    "\(prefix)\(machine)-\(Hex.encode(RandomBytes.bytes(8)))\(suffix)"
  }

  package static func isOne(_ name: String) -> Bool {
    name.hasPrefix(prefix) && (name.hasSuffix(suffix) || name.hasSuffix(rclonesSuffix))
  }

  package static func isLeftover(_ name: String, of machine: String) -> Bool {
    isOne(name) && name.hasPrefix("\(prefix)\(machine)-")
  }
}
