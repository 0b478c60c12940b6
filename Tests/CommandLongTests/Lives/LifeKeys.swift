import TestSupport
import Testing

extension Life {
  /// A recipient without a known identity.
  private static let recipient = "age1rk65c326a27kqvl4nku3qarlfdsdwqrr6y00cttcwsd8cypy9dmsn23gzl"

  /// The options that keep the recipient's slot, if an archive has one.
  static func keeping(_ archive: Archive) -> [String] {
    archive.hasRecipient ? ["--keep", "2=\(recipient)"] : []
  }

  /// Seals the newest archive for a recipient too.
  mutating func playAddKey(_ fault: LifeFault?) throws {
    try playKey(["add", "latest", "--recipient", Self.recipient], from: false, fault)
  }

  /// Seals the newest archive without the recipient's slot, if it has one.
  mutating func playRemoveKey() throws { try playKey(["remove", "latest", "--slot", "2"], from: true, nil) }

  private mutating func playKey(_ arguments: [String], from hasRecipient: Bool, _ fault: LifeFault?) throws {
    guard isSetUp, !isOvertaken, let old = try newest()?.name, let archive = archives[old],
      archive.hasRecipient == hasRecipient
    else { return }
    let before = Set(try allArchives())
    let result = try run(["key"] + arguments, passphrase: archive.passphrase, fault: fault)
    try checkResealed(since: before, archive, passphrase: archive.passphrase, hasRecipient: !hasRecipient)
    guard fault == nil || result.status == 0 else { return }
    try expect(result, in: world.folders.away == nil ? [0] : [3], "key \(arguments[0])")
    try checkHasNewArchive(since: before, "key \(arguments[0])")
  }

  /// Checks that a change of keys made one archive at most, with the contents of the one before.
  mutating func checkResealed(
    since before: Set<String>, _ archive: Archive, passphrase: Int, hasRecipient: Bool
  ) throws {
    let made = Set(try allArchives()).subtracting(before)
    guard made.count <= 1 else { throw Broken("one change of the keys made \(made.count) archives") }
    guard let name = made.first else { return }
    try probe(name, passphrase: passphrase, hasRecipient: hasRecipient)
    guard archives[name]?.files == archive.files, archives[name]?.records == archive.records else {
      throw Broken("sealed with other keys, an archive has other contents")
    }
  }

  /// Checks that every target that is there has the archive that a change of keys made.
  func checkHasNewArchive(since before: Set<String>, _ command: String) throws {
    let made = Set(try allArchives()).subtracting(before)
    guard made.count == 1, try world.folders.present.allSatisfy({ try newest($0) == made.first }) else {
      throw Broken("\(command) left a target behind")
    }
  }
}

extension Life.Archive {
  func isEqual(to probe: LifeWorld.Probe) -> Bool { files == probe.files && records == probe.records }
}
