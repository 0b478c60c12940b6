internal import FoundationEssentials
public import FuekiBackup
internal import FuekiWallet

extension ImportedRecords {
  /// Gives files that differ in nothing but their place ids of their own.
  ///
  /// - Parameter ids: those of everything that is collected or imported together.
  public mutating func nameFiles(_ ids: inout FileIDs) {
    var named: (old: Data, new: Data)?
    for index in files.indices {
      let part = files[index]
      // The place stands in the first part, and the others follow.
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
}
