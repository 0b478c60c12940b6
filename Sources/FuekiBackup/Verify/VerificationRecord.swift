internal import FuekiArchive
package import FuekiCrypto
internal import FuekiSystem

/// This machine's record of the archives that it verified.
///
/// Paths and tags are hashed with a random salt, so that the record reveals no names, and others cannot compute when an
/// archive is due.
package struct VerificationRecord: Sendable, Equatable {
  /// A verification without a fault.
  struct Entry: Sendable, Equatable {
    /// The hash of the archive's folder.
    let folder: Digest
    /// The hash of the storage's tag, as listed before the archive was read.
    let tag: Digest
    /// The archive's digest.
    let digest: Digest
    /// The depth of the verification.
    let depth: VerificationDepth
    /// The time of the verification, in seconds since 1970.
    let time: Int64
  }

  /// An archive's place and version in a listing.
  package struct Listed: Sendable, Equatable {
    /// The folder's path, from the root.
    let folder: String
    let name: String
    /// Nil if the storage has none.
    let tag: StorageTag?

    package init(folder: String, name: String, tag: StorageTag?) {
      (self.folder, self.name, self.tag) = (folder, name, tag)
    }
  }

  private let salt: [UInt8]
  private var entries: [Digest: Entry] = [:]

  /// More archives than one machine reads in a month; beyond that the oldest entries are removed.
  fileprivate static let most = 1 << 18

  /// Creates an empty record.
  package init(salt: [UInt8] = RandomBytes.bytes(VerificationRecord.saltBytes)) { self.salt = salt }

  package var count: Int { entries.count }

  // MARK: entries

  /// Finds a verification that makes another one unnecessary.
  ///
  /// Archives are due one after another, each in its turn: once in every period, at a time that depends on the salt and its
  /// path. So none stays unread for longer than a period, and archives that were all read in one night are read again in
  /// different ones.
  ///
  /// - Parameters:
  ///   - listed: the archive's place and version now.
  ///   - digest: the digest that the archive states now.
  ///   - depth: the least depth.
  ///   - period: the longest time between two verifications, in seconds.
  ///   - now: seconds since 1970.
  /// - Returns: the verification's time and depth; nil if the archive is due.
  package func current(
    _ listed: Listed, _ digest: Digest, depth: VerificationDepth, period: Int64, now: Int64
  ) -> (time: Int64, depth: VerificationDepth)? {
    let key = key(listed.folder, listed.name)
    guard let tag = listed.tag, let entry = entries[key], entry.tag == hash("tag", tag.text),
      entry.digest == digest, entry.depth == depth || entry.depth == .contents,
      !RotatingTurn.isDue(key, since: entry.time, at: now, every: period)
    else { return nil }
    return (entry.time, entry.depth)
  }

  /// Records a verification without a fault; it replaces an earlier one.
  ///
  /// An archive without a tag is removed.
  package mutating func insert(_ listed: Listed, _ digest: Digest, depth: VerificationDepth, time: Int64) {
    let key = key(listed.folder, listed.name)
    entries[key] = listed.tag.map {
      Entry(
        folder: hash("folder", listed.folder), tag: hash("tag", $0.text), digest: digest, depth: depth,
        time: time)
    }
  }

  /// Removes an archive.
  mutating func remove(_ listed: Listed) { entries[key(listed.folder, listed.name)] = nil }

  /// Removes the archives that are gone from completely listed folders.
  ///
  /// - Parameter names: the names in each folder.
  mutating func removeAbsent(_ names: [String: [String]]) {
    let folders = Set(names.keys.map { hash("folder", $0) })
    let present = Set(names.flatMap { folder, names in names.map { key(folder, $0) } })
    entries = entries.filter { !folders.contains($0.value.folder) || present.contains($0.key) }
  }

  /// Removes the oldest entries if there are too many.
  package mutating func shorten(to most: Int) {
    guard entries.count > most else { return }
    let oldest = entries.sorted { ($0.value.time, $0.key) < ($1.value.time, $1.key) }
    for (key, _) in oldest.prefix(entries.count - most) { entries[key] = nil }
  }

  private func key(_ folder: String, _ name: String) -> Digest { hash("archive", folder + "/" + name) }

  private func hash(_ kind: String, _ text: String) -> Digest {
    SHA256.hash(salt, Array(kind.utf8), [0], Array(text.utf8))
  }
}

extension VerificationRecord {
  /// The form of the file, and the extent of a verification: a version that checks more has another number, and reads
  /// every archive again.
  private static let magic = Array("fueki verified 1".utf8)
  package static let saltBytes = 16
  private static let entryBytes = 4 * Digest.byteCount + 9
  /// Farther away than the time of any clock, so that differences cannot overflow.
  private static let times: Range<Int64> = -(1 << 40)..<(1 << 40)

  /// The record as bytes, with a digest at the end.
  package var encoded: [UInt8] {
    var bytes = Self.magic + salt
    bytes.reserveCapacity(bytes.count + entries.count * Self.entryBytes + Digest.byteCount)
    for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
      for digest in [key, entry.folder, entry.tag, entry.digest] { digest.append(to: &bytes) }
      bytes.append(entry.depth == .contents ? 1 : 0)
      bytes.append(littleEndian: UInt64(bitPattern: entry.time))
    }
    let digest = SHA256.hash(bytes)
    digest.append(to: &bytes)
    return bytes
  }

  /// Decodes a record; nil if it is damaged, or was made by a version that checks other things.
  package init?(decoding bytes: [UInt8]) {
    let head = Self.magic.count + Self.saltBytes
    let end = bytes.count - Digest.byteCount
    guard end >= head, (end - head).isMultiple(of: Self.entryBytes), bytes.starts(with: Self.magic),
      SHA256.hash(Array(bytes[..<end])) == Digest(bytes: Array(bytes[end...]))
    else { return nil }
    salt = Array(bytes[Self.magic.count..<head])
    var reader = ByteReader(Array(bytes[head..<end]))
    do throws(ByteReader.Exhausted) {
      while reader.remaining > 0 {
        guard let key = Digest(bytes: try reader.bytes(Digest.byteCount)),
          let folder = Digest(bytes: try reader.bytes(Digest.byteCount)),
          let tag = Digest(bytes: try reader.bytes(Digest.byteCount)),
          let digest = Digest(bytes: try reader.bytes(Digest.byteCount))
        else { return nil }
        let depth = try reader.u8() == 1 ? VerificationDepth.contents : .checksums
        let time = Int64(bitPattern: try reader.u64())
        guard Self.times.contains(time) else { return nil }
        entries[key] = Entry(folder: folder, tag: tag, digest: digest, depth: depth, time: time)
      }
    } catch {
      return nil
    }
  }
}

extension StateDirectory {
  private static let verifications = "verified"

  /// Returns the record of verified archives; nil before the first one.
  ///
  /// - Throws: ``StateError/damaged(path:)``, and errors from reading.
  func verificationRecord() throws -> VerificationRecord? {
    guard let bytes = try read(Self.verifications) else { return nil }
    guard let record = VerificationRecord(decoding: bytes) else {
      throw StateError.damaged(path: "\(path)/\(Self.verifications)")
    }
    return record
  }

  /// Changes the record of verified archives, which other runs may change, too.
  ///
  /// A damaged record is replaced.
  ///
  /// - Throws: ``StateError/locked(owner:)`` if it stays busy; errors from writing.
  func changeVerificationRecord(_ change: (inout VerificationRecord) -> Void) throws {
    let lock = try lockBriefly("verified.lock")
    defer { lock.unlock() }
    var record = (try? verificationRecord()) ?? VerificationRecord()
    change(&record)
    record.shorten(to: VerificationRecord.most)
    try write(record.encoded, as: Self.verifications)
  }
}
