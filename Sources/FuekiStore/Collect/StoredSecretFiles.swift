internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// Selects the records of a keychain's secret files for a backup: each file once, except those that a source
/// provides.
struct StoredSecretFiles: Sendable {
  /// The number of included records.
  private(set) var count: UInt64 = 0
  /// The files with missing or contradictory parts, which are included as they are.
  private(set) var broken: [BrokenFile] = []
  /// The included files that differ from what lies in their places.
  private(set) var stale = StaleCopies()
  /// The places of the included files, or their paths.
  private(set) var names: [[UInt8]] = []
  /// The positions of the excluded records, in the keychain's order.
  private var leftOut: Set<UInt64> = []
  /// The new ids of records whose file shares its id with a file in another place.
  private var ids: [UInt64: [UInt8]] = [:]
  private let keychain: Keychain

  private struct Key: Hashable {
    let id: [UInt8]
    let source: String
    let path: [UInt8]
  }

  private struct File {
    var parts: FileParts
    /// The record at each offset.
    ///
    /// A later one with equal bytes replaces an earlier one.
    var records: [UInt64: UInt64] = [:]
    var all: [UInt64] = []
    var place: [UInt8]?
    var difference: CarriedCopies.Difference?
  }

  /// Reads every record once, one part at a time.
  ///
  /// - Throws: as ``Keychain/forEachSecretFileRecord(of:_:)``.
  init(_ keychain: Keychain, beside sourced: SourcedRecords, comparing carried: CarriedCopies?) throws {
    self.keychain = keychain
    let digests = SecretDigests()
    var order: [Key] = []
    var files: [Key: File] = [:]
    var number: UInt64 = 0
    try keychain.forEachSecretFileRecord { message in
      let part = try message.withBytes { (message) throws(SecretRecordError) in
        try SecretFilePart(decoding: message)
      }
      let name = Key(id: part.id, source: part.source, path: part.path)
      if files[name] == nil { order.append(name) }
      var file = files.removeValue(forKey: name) ?? File(parts: FileParts(total: part.total))
      let digest = part.content.bytes.withBytes { digests.digest(of: $0) }
      let outcome = file.parts.add(
        digest, count: part.content.bytes.count, at: part.offset, total: part.total)
      if outcome == .repeated || outcome == .new && part.content.bytes.count == 0,
        let earlier = file.records[part.offset]
      {
        leftOut.insert(earlier)
      }
      if outcome != .contradicting { file.records[part.offset] = number }
      file.all.append(number)
      // Only the first part has it.
      if let place = part.place { file.place = place }
      file.difference =
        file.difference
        ?? part.content.bytes.withBytes { [place = file.place] content in
          carried?.difference(content, at: part.offset, of: part.total, place: place)
        }
      files[name] = file
      number += 1
    }
    for name in order {
      if let file = files[name] { settle(name, file, sourced) }
    }
    count = number - UInt64(leftOut.count)
  }

  private mutating func settle(_ name: Key, _ file: File, _ sourced: SourcedRecords) {
    let fate = sourced.fate(ofCopy: name.id, place: file.place)
    guard fate != .leftOut else { return leftOut.formUnion(file.all) }
    names.append(file.place ?? name.path)
    if !file.parts.areWhole { broken.append(BrokenFile(id: name.id, place: file.place ?? name.path)) }
    if let place = file.place { stale.note(place, file.difference) }
    if case .renamed(let id) = fate {
      for record in file.all { ids[record] = id }
    }
  }

  /// Passes the included records to `body`, one at a time.
  func forEachRecord(_ body: (borrowing SecretBytes) throws -> Void) throws {
    var number: UInt64 = 0
    try keychain.forEachSecretFileRecord { message in
      defer { number += 1 }
      guard !leftOut.contains(number) else { return }
      guard let id = ids[number] else { return try body(message) }
      var part = try message.withBytes { (message) throws(SecretRecordError) in
        try SecretFilePart(decoding: message)
      }
      part.id = id
      try body(try part.encoded())
    }
  }
}
