internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// The structures of a remote's archives that this machine read for an earlier listing.
///
/// A listing of a bucket then reads what is new, what has changed by the storage's own tag, and a rotating share of the
/// rest. It also reads the newest of the others, so that a remote that no longer returns its files is noticed. The bytes
/// are those of the archives' public structures, and are parsed and checked as if they had just been read. Without the
/// file, every archive is read again.
package final class RememberedStructures: Sendable {
  private let folder: String
  private let name: String
  private let now: Int64
  private let heading: StructureFile.Heading
  private let file: StructureFile?

  /// The longest time for which a structure is not read again, in seconds.
  package static let period: Int64 = 7 * 86_400

  /// Opens the file for a target on a remote.
  ///
  /// - Parameters:
  ///   - folder: the folder of the files, made when something is first kept.
  ///   - target: the listed target.
  ///   - now: seconds since 1970.
  package init(in folder: String, of target: Target, now: Int64) {
    (self.folder, self.now) = (folder, now)
    name = String(SHA256.hash(Array(target.place.utf8)).hex.prefix(32))
    file = Self.file("\(folder)/\(name)")
    if let known = file?.heading, known.asked <= now, now - known.asked < Self.period {
      heading = known
      return
    }
    let storage = (try? RclonePath(target.path)).map { RcloneStorage(folder: $0) }
    let salt = file?.heading.salt ?? RandomBytes.bytes(StructureFile.Heading.saltBytes)
    heading = StructureFile.Heading(salt: salt, hasChecksums: storage?.listsChecksums ?? false, asked: now)
  }

  private static func file(_ path: String) -> StructureFile? {
    guard let file = try? File.openRegular(path, symbolicLinks: .refuse) else { return nil }
    return StructureFile(file)
  }

  /// The facts that tell whether a file has changed.
  var facts: ListedFacts { heading.hasChecksums ? .tagsWithChecksums : .tags }

  /// The known and the unknown files of a listing.
  struct Recall {
    /// Listed files, and their entries from their remembered structures.
    var known: [(item: RcloneItem, entry: TargetEntry)] = []
    /// The files to read.
    var rest: [RcloneItem]
    /// The newest archive with a known structure, which shows whether the remote still returns its files.
    ///
    /// It is to be read, too.
    var probe: RcloneItem?

    var read: [RcloneItem] { rest + (probe.map { [$0] } ?? []) }
  }

  /// Builds the entries of files whose structures are known, and need not be read again.
  ///
  /// - Parameters:
  ///   - items: the listed files.
  ///   - tags: the files' tags, by their paths.
  ///   - folder: the listed folder.
  /// - Returns: the entries, and the files to read.
  func recall(_ items: [RcloneItem], _ tags: [String: StorageTag], below folder: RclonePath) -> Recall {
    var recall = Recall(rest: [])
    for item in items {
      let path = folder.child(item)
      if let tag = tags[path.text], let record = current(path.text, tag),
        let entry = RcloneReading.entry(item, path, of: record)
      {
        recall.known.append((item, entry))
      } else {
        recall.rest.append(item)
      }
    }
    let newest = recall.known.indices.max {
      Self.age(recall.known[$0].entry) < Self.age(recall.known[$1].entry)
    }
    if let newest { recall.probe = recall.known.remove(at: newest).item }
    return recall
  }

  private static func age(_ entry: TargetEntry) -> (UInt64, String) {
    (entry.archive?.facts.created ?? 0, entry.path)
  }

  private func current(_ path: String, _ tag: StorageTag) -> RememberedRecord? {
    let key = key(path)
    guard let file, let head = file.head(of: key), head.tag == hash("tag", tag.text),
      !RotatingTurn.isDue(key, since: head.time, at: now, every: Self.period)
    else { return nil }
    return RememberedRecord(file: file, key: key)
  }

  /// Records the structures of intact archives, in place of those of an earlier listing.
  ///
  /// Those of archives that the remote did not return this time stay. Without space for the file, the next listing reads
  /// every archive.
  ///
  /// - Parameters:
  ///   - recalled: the entries from ``recall(_:_:below:)``.
  ///   - read: the entries that were read since.
  func keep(recalled: [TargetEntry], read: [TargetEntry]) {
    var kept = recalled.map { key($0.path) }
    var new: [TargetEntry] = []
    for entry in read {
      if entry.state == .unreadable {
        if file?.head(of: key(entry.path)) != nil { kept.append(key(entry.path)) }
      } else if entry.state == .complete, let found = entry.remoteFile, let tag = entry.tag,
        tag.isSettled(at: now)
      {
        // One that was read without being due has the same record for the rest of its turn.
        if let known = current(entry.path, tag), known.pieces == found.structure {
          kept.append(known.key)
          found.keepStructure(in: known)
        } else {
          new.append(entry)
        }
      }
    }
    guard !new.isEmpty || file?.keys ?? [] != Set(kept) || file != nil && file?.heading != heading else {
      return
    }
    try? Directory.makePrivateDirectories(folder)
    guard let directory = try? Directory.open(folder) else { return }
    try? StructureFile.write(heading, in: directory, as: name, count: kept.count + new.count) { number in
      number < kept.count ? file?.record(of: kept[number]) : record(of: new[number - kept.count])
    }
    guard let written = Self.file("\(folder)/\(name)") else { return }
    for entry in new {
      let record = RememberedRecord(file: written, key: key(entry.path))
      // Another run may have written the file since.
      guard let found = entry.remoteFile, found.structure == record.pieces else { continue }
      found.keepStructure(in: record)
    }
  }

  private func record(of entry: TargetEntry) -> StructureRecord? {
    guard let tag = entry.tag, let pieces = entry.remoteFile?.structure, !pieces.isEmpty else { return nil }
    return StructureRecord(
      StructureRecord.Head(key: key(entry.path), tag: hash("tag", tag.text), time: now), pieces)
  }

  private func key(_ path: String) -> Digest { hash("archive", path) }

  private func hash(_ kind: String, _ text: String) -> Digest {
    SHA256.hash(heading.salt, Array(kind.utf8), [0], Array(text.utf8))
  }
}
