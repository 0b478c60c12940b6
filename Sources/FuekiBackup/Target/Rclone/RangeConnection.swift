internal import FuekiSystem

/// The connection of ``RcloneRanges`` to its rclone, which one thread at a time uses.
final class RangeConnection {
  typealias Answer = RcloneRanges.Answer

  /// A request without a complete response.
  ///
  /// It is a class, so that received bytes are appended in place.
  private final class Stream {
    let key: Int
    let range: Range<UInt64>
    /// The file for the bytes; nil to keep them in memory.
    let place: RemoteCopies.Place?
    var bytes: [UInt8] = []
    var received: UInt64 = 0
    var isPart = false
    var isFailed = false

    init(key: Int, range: Range<UInt64>, place: RemoteCopies.Place?) {
      (self.key, self.range, self.place) = (key, range, place)
    }

    /// Takes the next bytes.
    func take(_ new: [UInt8]) {
      guard !isFailed else { return }
      // A failed request's data is a message. An answer of another length is invalid, too.
      guard isPart, received + UInt64(new.count) <= UInt64(range.count) else { return fail() }
      if let place {
        guard (try? place.write(new.span, at: range.lowerBound + received)) != nil else { return fail() }
      } else {
        bytes += new
      }
      received += UInt64(new.count)
    }

    private func fail() { (isFailed, bytes) = (true, []) }

    var answer: Answer {
      let isWhole = isPart && !isFailed && received == UInt64(range.count)
      return Answer(key: key, range: range, bytes: isWhole ? bytes : nil)
    }
  }

  /// The number of the ranges' bytes after which the server's window is renewed.
  ///
  /// Only they count (RFC 9113, section 5.2), and a window of more than 2³¹ - 1 ends the connection.
  private static let windowTurn = 1 << 24

  private let folder: RclonePath
  private let child: ServingChild
  private var frames = HTTP2Frames()
  private var streams: [UInt32: Stream] = [:]
  private var nextStream: UInt32 = 1
  private var answers: [Answer] = []
  private var received = 0
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)

  init(of folder: RclonePath) throws(SystemError) {
    self.folder = folder
    // rclone opens no more connections than it has transfers and checkers.
    let options = ["restic", "--stdio", "--append-only", "--transfers", "\(RcloneRanges.width)"]
    child = try RcloneCommand("serve", options, on: folder).serve()
    try child.write(HTTP2Frames.preface.span)
  }

  var inFlight: Int { streams.count + answers.count }

  func listFiles() throws(SystemError) {
    try child.write(HTTP2Frames.listRequest(stream: nextStream).span)
    // The answer has no part of a file, so that its bytes are dropped.
    streams[nextStream] = Stream(key: -1, range: 0..<0, place: nil)
    nextStream += 2
  }

  func submit(
    _ range: Range<UInt64>, of path: String, for key: Int, into place: RemoteCopies.Place? = nil
  ) throws(SystemError) {
    try child.write(HTTP2Frames.request(path, range, stream: nextStream).span)
    streams[nextStream] = Stream(key: key, range: range, place: place)
    nextStream += 2
  }

  func next() throws(SystemError) -> Answer? {
    while answers.isEmpty {
      guard !streams.isEmpty else { return nil }
      var span = buffer.mutableSpan
      let count: Int
      do throws(SystemError) {
        count = try child.read(into: &span)
      } catch {
        guard error.isTimedOut else { throw error }
        throw failure("it has not answered for \(Int(RcloneCommand.deadline)) seconds", .timedOut)
      }
      guard count > 0 else { throw failure("rclone serve: \(RcloneLog(child.errors).last ?? "it ended")") }
      let events: [HTTP2Frames.Event]
      do throws(HTTP2Frames.Malformed) {
        events = try frames.receive(buffer[..<count])
      } catch {
        throw failure("what rclone serve sends cannot be read")
      }
      for event in events { try handle(event) }
      if received >= Self.windowTurn {
        try child.write(HTTP2Frames.window(UInt32(received)).span)
        received = 0
      }
    }
    return answers.removeLast()
  }

  private func handle(_ event: HTTP2Frames.Event) throws(SystemError) {
    switch event {
    case .status(let status, let number): streams[number]?.isPart = status == 206
    case .data(let bytes, let number):
      received += bytes.count
      streams[number]?.take(bytes)
    case .ended(let number):
      if let stream = streams.removeValue(forKey: number) { answers.append(stream.answer) }
    case .reset(let number):
      guard let stream = streams.removeValue(forKey: number) else { return }
      answers.append(Answer(key: stream.key, range: stream.range, bytes: nil))
    case .reply(let frame): try child.write(frame.span)
    case .goneAway: throw failure("rclone serve ended the connection")
    }
  }

  private func failure(_ explanation: String, _ finding: SystemError.Finding = .failed) -> SystemError {
    SystemError(finding, call: "rclone serve", path: folder.text, explanation: explanation)
  }
}
