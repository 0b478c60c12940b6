internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// The reading of one file's structure, in rounds: first its ends, then each range that its structure refers to.
///
/// A small file is read whole if a command needs its copy. The ranges follow one another, so that rclone asks the remote for
/// the file's length once.
struct RcloneReading {
  /// The state after an answer.
  enum Step {
    /// This range is next.
    case needs(Range<UInt64>)
    /// It is complete; nil if the file is no archive.
    case done(TargetEntry?)
    /// A range could not be read, or the structure needs too many.
    case failed
  }

  let item: RcloneItem
  /// The first range.
  let first: Range<UInt64>

  private let path: RclonePath
  private let file: RcloneFile
  /// The place for the copy of a small file.
  private let place: RemoteCopies.Place?
  /// The other end, until it is requested.
  private var second: Range<UInt64>?
  private var rounds = 0

  /// The length of each end, which includes most headers and trailers.
  private static let endBytes: UInt64 = 1 << 13
  /// More than any archive's structure takes.
  private static let mostRounds = 12
  private static let longestRead = 1 << 17

  /// Prepares to read a listed file.
  ///
  /// - Parameters:
  ///   - item: the file, of at least one byte.
  ///   - folder: the listed folder.
  ///   - copies: receives small files; nil to read structures only.
  init(of item: RcloneItem, in folder: RclonePath, _ copies: RemoteCopies?) {
    let size = UInt64(clamping: item.size)
    self.item = item
    path = folder.child(item)
    file = RcloneFile(path, size: item.size)
    place = copies?.reserve(size)
    let lastBytes = Self.lastBytes(of: size)
    let isReadWhole = place != nil || size <= Self.endBytes + lastBytes
    first = 0..<(isReadWhole ? size : Self.endBytes)
    second = isReadWhole ? nil : size - lastBytes..<size
  }

  /// The length of the last range of a file, which has the hashes of all chunks and a trailer before them.
  ///
  /// The trailer of a very long file takes another request.
  private static func lastBytes(of size: UInt64) -> UInt64 {
    let hashes = size / UInt64(Limits.chunkBytes) * UInt64(Digest.byteCount)
    return endBytes + (hashes <= longestRead / 2 ? hashes : 0)
  }

  /// Processes an answer.
  mutating func receive(_ answer: RcloneRanges.Answer) -> Step {
    guard let bytes = answer.bytes else { return .failed }
    file.feed(bytes, at: answer.range.lowerBound)
    if let end = second {
      second = nil
      return .needs(end)
    }
    let entry = Self.entry(item, path, file)
    if let missing = file.takeMissing() {
      rounds += 1
      guard rounds < Self.mostRounds, missing.count <= Self.longestRead else { return .failed }
      return .needs(missing)
    }
    if let place { try? file.keepCopy(at: place) }
    file.endFeeding()
    return .done(entry)
  }

  /// Judges a file by reading it; nil if it is no archive.
  static func entry(_ item: RcloneItem, _ path: RclonePath, _ file: RcloneFile) -> TargetEntry? {
    var entry = TargetEntry(
      name: item.name, nameBytes: [UInt8](item.name.utf8), path: path.text,
      byteCount: UInt64(clamping: item.size)
    ) { ArchiveFile(file) }
    if entry?.archive != nil { entry?.remoteFile = file }
    return entry
  }
}
