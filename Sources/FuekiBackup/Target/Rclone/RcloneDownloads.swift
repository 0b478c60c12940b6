internal import FuekiSystem

/// Downloads a remote's files ahead of their use, through one rclone.
///
/// Several files are requested at a time, so that the remote's latency does not add up, and each with one request if it
/// is not very long: some services permit few requests in a second. A long file's first range precedes its others, so
/// that rclone asks the remote for the file's length once. If a range fails, or rclone has no such server, the file has
/// no copy afterwards, and its next reader downloads it with a separate rclone.
final class RcloneDownloads {
  private struct Download {
    let place: RemoteCopies.Place
    let path: String
    /// The start of the next range to request.
    var next: UInt64 = 0
    /// The number of bytes that have not arrived.
    var left: UInt64
    var isFailed = false
  }

  private let files: [RcloneFile]
  private let numbers: [ObjectIdentifier: Int]
  private let root: RclonePath?
  private let idle: IdleRanges?
  private var ranges: RcloneRanges?
  /// The files that are requested, and not yet taken, by their numbers.
  private var downloads: [Int: Download] = [:]
  /// The numbers of files whose first range has arrived.
  private var begun: [Int] = []
  /// The number of the next file to request.
  private var nextFile = 0
  private var heldBytes: UInt64 = 0
  /// Whether rclone has failed, so that each file is downloaded by its reader.
  private var isStopped = false

  private static let rangeBytes: UInt64 = 1 << 26
  /// The number of ranges that are read at a time.
  private static let width = 16
  /// The limit for the copies that are not taken yet, unless there is only one.
  private static let mostBytes: UInt64 = 1 << 27

  /// Prepares to download files.
  ///
  /// - Parameters:
  ///   - files: in the order in which they are needed.
  ///   - idle: may have an rclone that has read their structures.
  init(_ files: [RcloneFile], through idle: IdleRanges?) {
    self.idle = idle
    self.files = files.filter { !$0.hasCopy && ((try? $0.byteCount()) ?? 0) > 0 }
    numbers = Dictionary(
      self.files.enumerated().map { (ObjectIdentifier($0.element), $0.offset) }
    ) { first, _ in first }
    let isWorthIt = RcloneRanges.isWorthStarting(for: self.files.count)
    root = isWorthIt ? RclonePath.commonFolder(of: self.files.map(\.path)) : nil
    if root == nil { idle?.end() }
  }

  /// Waits for a file's copy.
  ///
  /// - Parameter file: the next file in order. A file that has its copy needs no download.
  /// - Throws: `SystemError` with `isInterrupted`. Other faults leave the file without a copy.
  func complete(_ file: RcloneFile) throws(SystemError) {
    guard !isStopped, let root, !file.hasCopy, let key = numbers[ObjectIdentifier(file)] else { return }
    do throws(SystemError) {
      let ranges = try server(of: root)
      try request(from: ranges)
      while let download = downloads[key], download.left > 0, !download.isFailed {
        guard let answer = try ranges.next() else { break }
        receive(answer)
        try request(from: ranges)
      }
    } catch {
      guard !error.isInterrupted else { throw error }
      // The reader of each file reports the remote's fault with its reason.
      (isStopped, ranges, downloads) = (true, nil, [:])
    }
    guard let download = downloads.removeValue(forKey: key) else { return }
    heldBytes -= download.place.range.upperBound
    if download.left == 0, !download.isFailed { file.adopt(download.place) }
  }

  private func server(of root: RclonePath) throws(SystemError) -> RcloneRanges {
    if let ranges { return ranges }
    if let found = idle?.take(for: root) {
      ranges = found
      return found
    }
    let started = try RcloneRanges(of: root)
    ranges = started
    return started
  }

  /// Requests ranges as long as the limits permit, file by file.
  private func request(from ranges: RcloneRanges) throws(SystemError) {
    while ranges.inFlight < Self.width {
      if let key = begun.first {
        if try !requestRange(of: key, from: ranges) { begun.removeFirst() }
        continue
      }
      guard nextFile < files.count else { return }
      let size = try files[nextFile].byteCount()
      guard downloads.isEmpty || heldBytes + size <= Self.mostBytes else { return }
      begin(files[nextFile], size, below: ranges.folder)
      _ = try requestRange(of: nextFile, from: ranges)
      nextFile += 1
    }
  }

  /// Requests a file's next range.
  ///
  /// - Returns: false if there is none.
  private func requestRange(of key: Int, from ranges: RcloneRanges) throws(SystemError) -> Bool {
    guard let download = downloads[key], !download.isFailed else { return false }
    let size = download.place.range.upperBound
    guard download.next < size else { return false }
    let end = min(download.next + Self.rangeBytes, size)
    try ranges.submit(download.next..<end, of: download.path, for: key, into: download.place)
    downloads[key]?.next = end
    return true
  }

  private func begin(_ file: RcloneFile, _ size: UInt64, below root: RclonePath) {
    guard let path = file.path.relative(to: root), RcloneRanges.serves(path),
      let place = try? file.makePlace()
    else { return }
    downloads[nextFile] = Download(place: place, path: path, left: size)
    heldBytes += size
  }

  private func receive(_ answer: RcloneRanges.Answer) {
    guard let download = downloads[answer.key], !download.isFailed else { return }
    guard answer.bytes != nil else {
      downloads[answer.key]?.isFailed = true
      return
    }
    downloads[answer.key]?.left -= UInt64(answer.range.count)
    if answer.range.lowerBound == 0 { begun.append(answer.key) }
  }
}
