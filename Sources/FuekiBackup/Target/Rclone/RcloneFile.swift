internal import FuekiArchive
internal import FuekiSystem

/// An archive on a remote.
///
/// Its ends are read directly, and the whole archive from a private copy.
///
/// An archive's own facts take a few small reads, and each is a run of rclone. So each read includes the surrounding
/// bytes, and a file that needs too many reads is refused: an attacker with write access to the remote cannot make this
/// machine download their data. A reader of every byte uses a copy in an unnamed file, for three reasons. The remote is
/// read once, whatever the order and the number of threads. The verified bytes are the ones opened afterwards, even if
/// the remote changes. Memory use stays as small as with a local file. The copy is encrypted, and removed when the run
/// ends.
final class RcloneFile: ArchiveSource {
  let path: RclonePath
  /// Nil where the remote does not say.
  private let size: UInt64?

  /// A part of the file.
  private struct Piece {
    let start: UInt64
    let bytes: [UInt8]
  }

  private struct State {
    var windows: [Piece] = []
    var runs = 0
    /// Where the whole file is on this machine.
    var copy: RemoteCopies.Place?
    /// Whether ``RcloneSurvey`` fetches the bytes: a read of missing ones fails, and is recorded.
    var isFed = false
    var missing: Range<UInt64>?
    /// The ranges that were read without a copy.
    var used: [Range<UInt64>] = []
  }

  private let state = Locked(State())

  /// An archive up to this long is read by one run.
  private static let smallBytes: UInt64 = 1 << 19
  private static let windowBytes: UInt64 = 1 << 16
  /// No archive's structure takes more runs, whatever is wrong with it.
  private static let mostRuns = 12

  init(_ path: RclonePath, size: Int64) {
    self.path = path
    self.size = UInt64(exactly: size)
  }

  /// Asks the remote for the file's length.
  ///
  /// - Throws: an error with `isNotFound` where it is not there; `EISDIR` where it is a folder.
  convenience init(_ path: RclonePath) throws(SystemError) {
    let item = try RcloneCommand("lsjson", ["--stat", "--no-mimetype", "--no-modtime"], on: path)
      .document(RcloneItem.self)
    guard !item.isFolder else { throw SystemError(.directory, call: "rclone lsjson", path: path.text) }
    self.init(path, size: item.size)
  }

  func byteCount() throws(SystemError) -> UInt64 {
    guard let size else {
      throw SystemError(
        .failed, call: "rclone lsjson", path: path.text,
        explanation: "the remote does not say how long it is")
    }
    return size
  }

  func read(_ count: Int, at offset: UInt64) throws(SystemError) -> [UInt8] {
    let size = try byteCount()
    guard count > 0, offset < size else { return [] }
    let range = offset..<offset + min(UInt64(count), size - offset)
    if let known = try known(range) { return known }
    let isFed = state.withLock { state in
      if state.isFed { state.missing = range }
      return state.isFed
    }
    guard !isFed else { throw SystemError(.failed, call: "rclone cat", path: path.text) }
    let isTooMuch = state.withLock { state in
      state.runs += 1
      return state.runs > Self.mostRuns
    }
    guard !isTooMuch else {
      throw SystemError(
        .failed, call: "rclone cat", path: path.text, explanation: "too many reads for an archive's structure"
      )
    }
    let window = Self.window(around: range, size: size)
    let options = ["--offset", "\(window.lowerBound)", "--count", "\(window.count)"]
    let bytes = try RcloneCommand("cat", options, on: path).output(limit: window.count)
    guard bytes.count == window.count else { throw shortfall(bytes.count) }
    state.withLock {
      $0.windows.append(Piece(start: window.lowerBound, bytes: bytes))
      $0.used.append(range)
    }
    let begin = Int(range.lowerBound - window.lowerBound)
    return Array(bytes[begin..<begin + range.count])
  }

  /// The error for a file of which fewer bytes came than were listed.
  ///
  /// For a missing file, object storage sends rclone an empty listing, and rclone reports no error.
  private func shortfall(_ count: Int) -> SystemError {
    count == 0
      ? SystemError(
        .notFound, call: "rclone cat", path: path.text,
        explanation: "no bytes came: it was removed, or the remote refuses to return it")
      : SystemError(.failed, call: "rclone cat", path: path.text, explanation: "fewer bytes came than it has")
  }

  func gather(progress: (UInt64) throws -> Void) throws {
    guard !hasCopy else { return }
    let place = try makePlace()
    let command = RcloneCommand("cat", on: path)
    var position: UInt64 = 0
    try command.run { bytes in
      // A file that grows beyond its announced size must not fill this machine's disk.
      guard UInt64(bytes.count) <= place.range.upperBound - position else {
        throw command.failure(.failed, "it has grown while it was read")
      }
      try place.write(bytes, at: position)
      position += UInt64(bytes.count)
    } idle: {
      try progress(position)
    }
    guard position == place.range.upperBound else { throw shortfall(Int(clamping: position)) }
    adopt(place)
  }

  // MARK: copies

  /// Whether the whole file is on this machine.
  var hasCopy: Bool { state.withLock { $0.copy != nil } }

  /// Creates an unnamed file for a copy.
  ///
  /// - Throws: an error with `isNoSpace` if the copy does not fit.
  func makePlace() throws(SystemError) -> RemoteCopies.Place {
    let size = try byteCount()
    let folder = try RemoteCopies.directory()
    if let free = try? folder.freeBytes(), free < size { throw SystemError.noSpace(path: folder.path) }
    return RemoteCopies.Place(file: RemoteCopies.SharedFile(try folder.createUnnamedFile()), range: 0..<size)
  }

  /// Reads from a copy from now on.
  func adopt(_ place: RemoteCopies.Place) {
    state.withLock {
      $0.copy = place
      ($0.windows, $0.used) = ([], [])
    }
  }

  /// Forgets the copy, so that further reads ask the remote.
  func dropCopy() { state.withLock { $0.copy = nil } }

  /// The bytes, where they are here.
  private func known(_ range: Range<UInt64>) throws(SystemError) -> [UInt8]? {
    let (copy, window) = state.withLock { state in
      let window = state.windows.first { Self.window($0, has: range) }
      if state.copy == nil, window != nil { state.used.append(range) }
      return (state.copy, window)
    }
    if let copy {
      var bytes = [UInt8](repeating: 0, count: range.count)
      let length = try copy.file.file.pread(into: &bytes, at: copy.range.lowerBound + range.lowerBound)
      bytes.removeSubrange(length...)
      return bytes
    }
    guard let window else { return nil }
    let begin = Int(range.lowerBound - window.start)
    return Array(window.bytes[begin..<begin + range.count])
  }

  // MARK: bytes from a survey

  /// Receives bytes, and makes reads of others fail until ``endFeeding()``.
  func feed(_ bytes: [UInt8], at start: UInt64) {
    state.withLock {
      $0.isFed = true
      $0.windows.append(Piece(start: start, bytes: bytes))
    }
  }

  /// Returns the range of the read that failed; nil if none did since the last call.
  func takeMissing() -> Range<UInt64>? {
    state.withLock { state in
      defer { state.missing = nil }
      return state.missing
    }
  }

  /// Writes the bytes to a place if all have been received, and reads from there from now on.
  func keepCopy(at place: RemoteCopies.Place) throws(SystemError) {
    let whole = state.withLock { state in
      state.windows.first { $0.start == 0 && $0.bytes.count == place.range.count }
    }
    guard let whole else { return }
    try place.write(whole.bytes.span, at: 0)
    adopt(place)
  }

  /// Lets further reads ask the remote, and drops the unused bytes.
  func endFeeding() {
    state.withLock { state in
      state.windows = Self.used(state)
      state.used = state.windows.map { $0.start..<$0.start + UInt64($0.bytes.count) }
      state.isFed = false
    }
  }

  /// The bytes that were read, without the surrounding ones.
  private static func used(_ state: State) -> [Piece] {
    var kept: [Piece] = []
    let used = Set(state.used).sorted { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) }
    for range in used where !kept.contains(where: { Self.window($0, has: range) }) {
      guard let window = state.windows.first(where: { Self.window($0, has: range) }) else { continue }
      let begin = Int(range.lowerBound - window.start)
      kept.append(Piece(start: range.lowerBound, bytes: Array(window.bytes[begin..<begin + range.count])))
    }
    return kept
  }

  private static func window(_ window: Piece, has range: Range<UInt64>) -> Bool {
    window.start <= range.lowerBound && range.upperBound <= window.start + UInt64(window.bytes.count)
  }

  /// Returns the range to read for a requested one: a small file as a whole, else the end that contains it, else the
  /// bytes from its start.
  private static func window(around range: Range<UInt64>, size: UInt64) -> Range<UInt64> {
    guard size > smallBytes else { return 0..<size }
    if range.upperBound <= windowBytes { return 0..<windowBytes }
    if range.lowerBound >= size - windowBytes { return size - windowBytes..<size }
    return range.lowerBound..<min(size, max(range.upperBound, range.lowerBound + windowBytes))
  }
}
