internal import FuekiSystem

/// One rclone that reads byte ranges of many files of a folder, several at a time.
///
/// A run of rclone for each range costs a process and new connections to the server each time. `rclone serve restic`
/// keeps them open. It is meant for restic, and returns any range of any file.
final class RcloneRanges {
  /// A range that has arrived.
  struct Answer {
    /// The caller's number for the file.
    let key: Int
    let range: Range<UInt64>
    /// Nil if the request failed; empty if the bytes are in a file.
    let bytes: [UInt8]?
  }

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

  /// The number of ranges that are read at a time.
  static let width = 24
  /// The number of the ranges' bytes after which the server's window is renewed.
  ///
  /// Only they count (RFC 9113, section 5.2), and a window of more than 2³¹ - 1 ends the connection.
  private static let windowTurn = 1 << 24

  private let child: ServingChild
  private let subject: RclonePath
  private var frames = HTTP2Frames()
  private var streams: [UInt32: Stream] = [:]
  private var nextStream: UInt32 = 1
  private var answers: [Answer] = []
  private var received = 0
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)

  /// Starts rclone.
  ///
  /// - Throws: errors from starting it.
  init(of folder: RclonePath) throws(SystemError) {
    subject = folder
    // rclone opens no more connections than it has transfers and checkers.
    let options = ["restic", "--stdio", "--append-only", "--transfers", "\(Self.width)"]
    child = try RcloneCommand("serve", options, on: folder).serve()
    try child.write(HTTP2Frames.preface.span)
  }

  /// The number of ranges that were requested, and not yet returned.
  var inFlight: Int { streams.count + answers.count }

  /// Whether rclone returns a file under its path: restic's own layout moves files of folders with this name.
  static func serves(_ path: String) -> Bool {
    path.split(separator: "/").dropLast().last != "data" && !path.isEmpty && path.utf8.count < 4096
  }

  /// Requests a range.
  ///
  /// - Parameters:
  ///   - range: the bytes, of which there is at least one.
  ///   - path: the file's path below the folder.
  ///   - key: comes back with the answer.
  ///   - place: the file that receives the bytes as they arrive; nil to have them in the answer.
  /// - Throws: errors from writing to rclone.
  func submit(
    _ range: Range<UInt64>, of path: String, for key: Int, into place: RemoteCopies.Place? = nil
  ) throws(SystemError) {
    try child.write(HTTP2Frames.request(path, range, stream: nextStream).span)
    streams[nextStream] = Stream(key: key, range: range, place: place)
    nextStream += 2
  }

  /// Waits for the next range that is complete, or failed.
  ///
  /// - Returns: nil if none is in flight.
  /// - Throws: `SystemError` if rclone ends, breaks the protocol or says nothing for too long, and interruptions.
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
    SystemError(finding, call: "rclone serve", path: subject.text, explanation: explanation)
  }
}
