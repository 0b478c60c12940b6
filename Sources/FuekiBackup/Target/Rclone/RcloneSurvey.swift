internal import FuekiArchive
internal import FuekiSystem

/// Reads the structures of a folder's archives: a few kibibytes from both ends of each.
///
/// One rclone reads them all (``RcloneRanges``). If it cannot read a file's structure, separate runs of rclone read the
/// file, or report the reason.
struct RcloneSurvey {
  private let folder: RclonePath
  /// Reads files with a separate rclone for each.
  private let workers = OrderedWorkers<TargetEntry?>(width: 4, window: 8)
  private var entries: [TargetEntry] = []

  /// A file whose ends are being read.
  private struct Reading {
    let item: RcloneItem
    let path: RclonePath
    let file: RcloneFile
    /// The ranges still to come, by the numbers of their requests.
    var awaited: [Int: Range<UInt64>] = [:]
    /// How often a read found bytes missing.
    var rounds = 0
    var isFailed = false
  }

  /// The length of each end, which includes most headers and trailers.
  private static let endBytes: UInt64 = 1 << 13
  /// For fewer files, the start of a server costs more than it saves.
  private static let fewFiles = 3
  /// More than any archive's structure takes.
  private static let mostRounds = 12
  private static let longestRead = 1 << 17

  init(of folder: RclonePath) { self.folder = folder }

  /// Returns the files that are archives, or claim to be, in no order.
  mutating func entries(of items: [RcloneItem]) throws -> [TargetEntry] {
    entries = []
    let served = items.filter { $0.size > 0 && RcloneRanges.serves($0.path ?? $0.name) }
    var rest = items.filter { !($0.size > 0 && RcloneRanges.serves($0.path ?? $0.name)) }
    if served.count >= Self.fewFiles {
      rest += try readEnds(of: served)
    } else {
      rest += served
    }
    for item in rest { try readAlone(item) }
    while let found = try workers.next() {
      if let entry = found { entries.append(entry) }
    }
    return entries
  }

  /// Reads files through one rclone.
  ///
  /// - Returns: the files for which it failed.
  private mutating func readEnds(of items: [RcloneItem]) throws -> [RcloneItem] {
    var left = items[...]
    var readings: [Int: Reading] = [:]
    var owner: [Int: Int] = [:]
    var nextRequest = 0
    var unread: [RcloneItem] = []
    do throws(SystemError) {
      let ranges = try RcloneRanges(of: folder)
      func request(_ wanted: [Range<UInt64>], for key: Int) throws(SystemError) {
        guard let path = readings[key].map({ $0.item.path ?? $0.item.name }) else { return }
        for range in wanted {
          readings[key]?.awaited[nextRequest] = range
          owner[nextRequest] = key
          try ranges.submit(path, range, request: nextRequest)
          nextRequest += 1
        }
      }
      while true {
        while ranges.inFlight < RcloneRanges.width, let item = left.popFirst() {
          let path = folder.child(item.path ?? item.name)
          let key = items.count - left.count
          readings[key] = Reading(item: item, path: path, file: RcloneFile(path, size: item.size))
          try request(Self.ends(of: UInt64(clamping: item.size)), for: key)
        }
        guard let answer = try ranges.next() else { break }
        guard let key = owner.removeValue(forKey: answer.request), var reading = readings[key] else {
          continue
        }
        let range = reading.awaited.removeValue(forKey: answer.request)
        if let range, let bytes = answer.bytes {
          reading.file.feed(bytes, at: range.lowerBound)
        } else {
          reading.isFailed = true
        }
        readings[key] = reading
        guard reading.awaited.isEmpty else { continue }
        guard !reading.isFailed else {
          readings[key] = nil
          unread.append(reading.item)
          continue
        }
        let entry = Self.entry(reading.item, reading.path, reading.file)
        guard let missing = reading.file.takeMissing() else {
          reading.file.endFeeding()
          readings[key] = nil
          if let entry { entries.append(entry) }
          continue
        }
        readings[key]?.rounds += 1
        if reading.rounds < Self.mostRounds, missing.count <= Self.longestRead {
          try request([missing], for: key)
        } else {
          readings[key] = nil
          unread.append(reading.item)
        }
      }
    } catch {
      guard !error.isInterrupted, !error.isTimedOut else { throw error }
      // This rclone lacks the server, or it ended. Separate runs report a remote's fault with its reason.
      return unread + readings.values.map(\.item) + left
    }
    return unread
  }

  /// Reads a file with a separate rclone.
  private mutating func readAlone(_ item: RcloneItem) throws {
    if workers.isFull, let found = try workers.next(), let entry = found { entries.append(entry) }
    let path = folder.child(item.path ?? item.name)
    workers.submit { Self.entry(item, path, RcloneFile(path, size: item.size)) }
  }

  private static func entry(_ item: RcloneItem, _ path: RclonePath, _ file: RcloneFile) -> TargetEntry? {
    TargetEntry(
      name: item.name, nameBytes: [UInt8](item.name.utf8), path: path.text,
      byteCount: UInt64(clamping: item.size)
    ) { ArchiveFile(file) }
  }

  private static func ends(of size: UInt64) -> [Range<UInt64>] {
    size <= 2 * endBytes ? [0..<size] : [0..<endBytes, size - endBytes..<size]
  }
}
