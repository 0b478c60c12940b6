internal import FuekiSystem

/// Reads the structures of a folder's archives: a few kibibytes from both ends of each.
///
/// One rclone reads them all (``RcloneRanges``). If it cannot read a file's structure, separate runs of rclone read the
/// file, or report the reason.
struct RcloneSurvey {
  private let folder: RclonePath
  private let listing: RcloneListing
  private let copies: RemoteCopies?
  /// Reads files with a separate rclone for each.
  private let workers = OrderedWorkers<TargetEntry?>(width: 4, window: 8)
  private var entries: [TargetEntry] = []

  /// - Parameters:
  ///   - folder: the listed folder.
  ///   - listing: its files, and perhaps others.
  ///   - copies: receives small files, which are read whole; nil to read the structures only.
  init(of folder: RclonePath, _ listing: RcloneListing, copies: RemoteCopies?) {
    (self.folder, self.listing, self.copies) = (folder, listing, copies)
  }

  /// Returns the files that are archives, or claim to be, in no order.
  mutating func entries(of items: [RcloneItem]) throws -> [TargetEntry] {
    let isServed = { (item: RcloneItem) in item.size > 0 && RcloneRanges.serves(item.below) }
    let served = items.filter(isServed)
    var rest = items.filter { !isServed($0) }
    if RcloneRanges.isWorthStarting(for: served.count) {
      rest += try readTogether(served)
    } else {
      rest += served
    }
    for item in rest { try readAlone(item) }
    while let found = try workers.next() {
      if let entry = found { entries.append(entry) }
    }
    return entries
  }

  /// Starts an rclone for so many files, which lists them if that costs less than to ask for each.
  private func started(for count: Int) throws(SystemError) -> RcloneRanges {
    let ranges = try RcloneRanges(of: folder)
    guard listing.sparesRequests(for: count) else { return ranges }
    try ranges.listFiles()
    guard listing.isShort else { return ranges }
    do throws(SystemError) {
      _ = try ranges.next()
      return ranges
    } catch {
      guard error.isTimedOut else { throw error }
      // The server may still return the files.
      return try RcloneRanges(of: folder)
    }
  }

  /// Reads files through one rclone.
  ///
  /// - Returns: the files for which it failed.
  private mutating func readTogether(_ items: [RcloneItem]) throws -> [RcloneItem] {
    var left = items[...]
    var readings: [Int: RcloneReading] = [:]
    var unread: [RcloneItem] = []
    do throws(SystemError) {
      let ranges = try started(for: items.count)
      while true {
        while ranges.inFlight < RcloneRanges.width, let item = left.popFirst() {
          let key = items.count - left.count
          let reading = RcloneReading(of: item, in: folder, copies)
          readings[key] = reading
          try ranges.submit(reading.first, of: item.below, for: key)
        }
        guard !readings.isEmpty, let answer = try ranges.next() else { break }
        guard var reading = readings.removeValue(forKey: answer.key) else { continue }
        let item = reading.item
        switch reading.receive(answer) {
        case .needs(let range):
          readings[answer.key] = reading
          try ranges.submit(range, of: item.below, for: answer.key)
        case .done(let entry): if let entry { entries.append(entry) }
        case .failed: unread.append(item)
        }
      }
      copies?.idle.keep(ranges)
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
    let path = folder.child(item)
    workers.submit { RcloneReading.entry(item, path, RcloneFile(path, size: item.size)) }
  }
}
