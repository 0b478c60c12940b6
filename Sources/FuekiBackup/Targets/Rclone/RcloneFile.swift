internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// An archive on a remote.
///
/// Its ends are read directly, and the whole archive from a private copy.
///
/// An archive's own facts take a few small reads, and each is a request, or a run of rclone. So each read includes the
/// surrounding bytes, and a file that needs too many reads is refused: an attacker with write access to the remote cannot
/// make this machine download their data. A reader of every byte uses a copy in an unnamed file, for three reasons. The
/// remote is read once, whatever the order and the number of threads. The verified bytes are the ones opened afterwards,
/// even if the remote changes. Memory use stays as small as with a local file. The copy is encrypted, and removed when
/// the run ends.
final class RcloneFile: ArchiveSource {
  let path: RclonePath
  /// Nil where the remote does not say.
  private let size: UInt64?

  /// A part of the file.
  private struct Piece {
    let start: UInt64
    let bytes: [UInt8]

    func has(_ range: Range<UInt64>) -> Bool {
      start <= range.lowerBound && range.upperBound <= start + UInt64(bytes.count)
    }

    subscript(range: Range<UInt64>) -> [UInt8] {
      let begin = Int(range.lowerBound - start)
      return Array(bytes[begin..<begin + range.count])
    }
  }

  private struct State {
    var windows: [Piece] = []
    var reads = 0
    /// Where the whole file is on this machine.
    var copy: RemoteCopies.Place?
    /// The rclone that is asked for ranges; nil if each takes a run of its own.
    var server: RcloneServer?
    /// The ranges that were read without a copy.
    var used: [Range<UInt64>] = []
  }

  private let state: Locked<State>

  /// Separate runs of rclone, of which each has a turn.
  private static let turns = (0..<4).map { _ in Locked(()) }
  /// No archive's structure takes more reads, whatever is wrong with it.
  private static let mostReads = 12

  init(_ path: RclonePath, size: Int64, through server: RcloneServer? = nil) {
    self.path = path
    self.size = UInt64(exactly: size)
    state = Locked(State(server: server))
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
    let isTooMuch = state.withLock { state in
      state.reads += 1
      return state.reads > Self.mostReads
    }
    guard !isTooMuch else {
      throw SystemError(
        .failed, call: "rclone cat", path: path.text, explanation: "too many reads for an archive's structure"
      )
    }
    let served = try readServed(range, size)
    let piece = if let served { served } else { try readAlone(range, size) }
    state.withLock {
      $0.windows.append(piece)
      $0.used.append(range)
    }
    return piece[range]
  }

  private func readServed(_ range: Range<UInt64>, _ size: UInt64) throws(SystemError) -> Piece? {
    let window = ReadWindow.served(size).around(range)
    let bytes = try state.withLock(\.server)?.read(window, of: path)
    return bytes.map { Piece(start: window.lowerBound, bytes: $0) }
  }

  /// Reads by a run of rclone, of which a few are made at a time.
  private func readAlone(_ range: Range<UInt64>, _ size: UInt64) throws(SystemError) -> Piece {
    let window = ReadWindow.alone(size).around(range)
    let options = ["--offset", "\(window.lowerBound)", "--count", "\(window.count)"]
    let command = RcloneCommand("cat", options, on: path)
    let bytes = try Self.turns[Int.random(in: Self.turns.indices)].withLock { _ throws(SystemError) in
      try command.output(limit: window.count)
    }
    guard bytes.count == window.count else { throw shortfall(bytes.count) }
    return Piece(start: window.lowerBound, bytes: bytes)
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
    guard state.withLock({ $0.copy == nil }) else { return }
    let place = try makePlace()
    guard !copy(to: place) else { return }
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

  /// Creates an unnamed file for a copy.
  ///
  /// - Throws: an error with `isNoSpace` if the copy does not fit.
  private func makePlace() throws(SystemError) -> RemoteCopies.Place {
    let size = try byteCount()
    let folder = try RemoteCopies.directory()
    if let free = try? folder.freeBytes(), free < size { throw SystemError.noSpace(path: folder.path) }
    return RemoteCopies.Place(file: RemoteCopies.SharedFile(try folder.createUnnamedFile()), range: 0..<size)
  }

  /// Copies the file through its rclone.
  ///
  /// - Returns: false if it has none, or that failed: a separate one reports the remote's fault with its reason.
  @discardableResult
  func copy(to place: RemoteCopies.Place) -> Bool {
    guard let server = state.withLock(\.server), !place.range.isEmpty,
      (try? server.read(0..<UInt64(place.range.count), of: path, into: place)) != nil
    else { return false }
    adopt(place)
    return true
  }

  /// Reads from a copy from now on.
  private func adopt(_ place: RemoteCopies.Place) {
    state.withLock {
      ($0.copy, $0.server) = (place, nil)
      ($0.windows, $0.used) = ([], [])
    }
  }

  /// Forgets the copy, so that further reads ask the remote.
  func dropCopy() { state.withLock { $0.copy = nil } }

  /// The bytes, where they are here.
  private func known(_ range: Range<UInt64>) throws(SystemError) -> [UInt8]? {
    let (copy, window) = state.withLock { state in
      let window = state.windows.first { $0.has(range) }
      if state.copy == nil, window != nil { state.used.append(range) }
      return (state.copy, window)
    }
    guard let copy else { return window?[range] }
    var bytes = [UInt8](repeating: 0, count: range.count)
    let length = try copy.file.file.pread(into: &bytes, at: copy.range.lowerBound + range.lowerBound)
    bytes.removeSubrange(length...)
    return bytes
  }

  /// Forgets the bytes that surround those that were read.
  ///
  /// - Parameter endsServer: whether further reads take runs of their own.
  func forgetUnused(endsServer: Bool) {
    state.withLock { state in
      state.windows = Self.used(state)
      state.used = state.windows.map { $0.start..<$0.start + UInt64($0.bytes.count) }
      if endsServer { state.server = nil }
    }
  }

  private static func used(_ state: State) -> [Piece] {
    var kept: [Piece] = []
    let used = Set(state.used).sorted { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) }
    for range in used where !kept.contains(where: { $0.has(range) }) {
      guard let window = state.windows.first(where: { $0.has(range) }) else { continue }
      kept.append(Piece(start: range.lowerBound, bytes: window[range]))
    }
    return kept
  }
}

/// What is read with a requested range: a small file as a whole, else the end that contains it, else the bytes from its
/// start.
private struct ReadWindow {
  let size: UInt64
  /// An archive up to this long is read at once.
  let small: UInt64
  let first: UInt64
  let last: UInt64

  /// Each read is a run of rclone.
  static func alone(_ size: UInt64) -> ReadWindow {
    ReadWindow(size: size, small: 1 << 19, first: 1 << 16, last: 1 << 16)
  }

  /// Each read is a request.
  ///
  /// The first bytes include most headers. The last ones have the hashes of all chunks, and a trailer before them. The
  /// trailer of a very long file takes another request.
  static func served(_ size: UInt64) -> ReadWindow {
    let hashes = size / UInt64(Limits.chunkBytes) * UInt64(Digest.byteCount)
    let last: UInt64 = 1 << 13 + (hashes <= 1 << 16 ? hashes : 0)
    return ReadWindow(size: size, small: 1 << 13 + last, first: 1 << 13, last: last)
  }

  func around(_ range: Range<UInt64>) -> Range<UInt64> {
    guard size > small else { return 0..<size }
    if range.upperBound <= first { return 0..<first }
    if range.lowerBound >= size - last { return size - last..<size }
    return range.lowerBound..<min(size, max(range.upperBound, range.lowerBound + first))
  }
}
