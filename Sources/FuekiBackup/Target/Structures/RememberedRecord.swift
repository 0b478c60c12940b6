internal import FuekiCrypto

/// A record in a file of this machine, which is read when its bytes are needed.
///
/// The structures of ten thousand archives would take tens of mebibytes of memory.
struct RememberedRecord: Sendable {
  let file: StructureFile
  let key: Digest

  /// The bytes of the archive's structure; empty if the record is missing or damaged.
  var pieces: [StructureRecord.Piece] { file.record(of: key)?.pieces ?? [] }
}
