internal import FoundationEssentials
public import FuekiBackup
internal import FuekiWallet

extension ImportedRecords {
  /// Assigns separate ids to files that differ only in their place.
  ///
  /// - Parameter ids: the ids of everything collected or imported together.
  public mutating func nameFiles(_ ids: inout FileIDs) {
    var named: (old: Data, new: Data)?
    for index in files.indices {
      let part = files[index]
      // The place is in the first part, and the others follow.
      if part.offset == 0 {
        let new = Data(ids.id([UInt8](part.id), at: part.hasPlace ? [UInt8](part.place) : nil))
        named = (part.id, new)
      }
      if let named, named.old == part.id { files[index].id = named.new }
    }
    var secret: (old: [UInt8], new: [UInt8])?
    for index in secretFiles.indices {
      let part = secretFiles[index]
      if part.offset == 0 { secret = (part.id, ids.id(part.id, at: part.place)) }
      if let secret, secret.old == part.id { secretFiles[index].id = secret.new }
    }
    streams = streams.map { $0.named(ids.id($0.id, at: $0.origin.place)) }
  }

  /// Excludes files that another source of the same kind has already collected, and records the others.
  ///
  /// A file covered by two sources, such as a directory and a file in it, needs one record.
  mutating func leaveOutFiles(broughtIn sourced: inout SourcedRecords) {
    let before = sourced
    var own: Set<[UInt8]> = []
    func isNew(_ id: [UInt8], _ source: String, _ place: [UInt8]?) -> Bool {
      guard !before.has(file: id, source: source, place: place), own.insert(id).inserted else { return false }
      sourced.add(file: id, source: source, place: place)
      return true
    }
    // The place is in the first part, and the others follow.
    var isKept = true
    files = files.filter { part in
      guard part.offset == 0 else { return isKept }
      isKept = isNew([UInt8](part.id), part.source, part.hasPlace ? [UInt8](part.place) : nil)
      return isKept
    }
    isKept = true
    secretFiles = secretFiles.filter { part in
      guard part.offset == 0 else { return isKept }
      isKept = isNew(part.id, part.source, part.place)
      return isKept
    }
    streams = streams.filter { isNew($0.id, $0.source, $0.origin.place) }
  }
}
