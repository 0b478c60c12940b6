import FuekiBackup
import Testing

/// The frames that rclone's server and this program exchange.
struct HTTP2FramesTests {
  private func frame(_ kind: UInt8, _ flags: UInt8, stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF), kind, flags, 0, 0, 0, stream] + payload
  }

  @Test func `a request has the path escaped and the range inclusive`() {
    let request = HTTP2Frames.request("a b/ü#.fueki", 5..<20, stream: 3)
    let text = String(decoding: request, as: UTF8.self)
    #expect(text.contains("/a%20b/%C3%BC%23.fueki") && text.hasSuffix("bytes=5-19"))
    // HEADERS with the ends of the header block and of the stream.
    #expect(request[3...8].elementsEqual([1, 5, 0, 0, 0, 3]))
    #expect(Int(request[2]) == request.count - 9)
  }

  @Test func `a request for the list of files names restic's API`() {
    let request = HTTP2Frames.listRequest(stream: 1)
    #expect(String(decoding: request, as: UTF8.self).hasSuffix("application/vnd.x.restic.rest.v2"))
    #expect(request[3...8].elementsEqual([1, 5, 0, 0, 0, 1]))
    #expect(Int(request[2]) == request.count - 9)
  }

  @Test func `a path of more than 126 bytes has a length of several bytes`() {
    let request = HTTP2Frames.request(String(repeating: "a", count: 499), 0..<1, stream: 1)
    // 500 is 127 + 117 + 2 times 128.
    #expect(request.contains([127, 245, 2] + Array("/aaa".utf8)))
  }

  @Test func `frames arrive in pieces of any length`() throws {
    let bytes =
      frame(1, 4, stream: 1, [0x20, 0x8A, 0x40]) + frame(0, 0, stream: 1, [1, 2])
      + frame(0, 1, stream: 1, [3])
    for length in 1...bytes.count {
      var frames = HTTP2Frames()
      var events: [HTTP2Frames.Event] = []
      for start in stride(from: 0, to: bytes.count, by: length) {
        events += try frames.receive(bytes[start..<min(bytes.count, start + length)])
      }
      #expect(
        events == [
          .status(206, stream: 1), .data([1, 2], stream: 1), .data([3], stream: 1), .ended(stream: 1),
        ])
    }
  }

  @Test(arguments: [([0x88], 200), ([0x8D], 404), ([0x48, 3], nil), ([], nil)] as [([UInt8], Int?)])
  func `the status is read from the static table only`(_ fields: [UInt8], _ status: Int?) throws {
    var frames = HTTP2Frames()
    #expect(try frames.receive(frame(1, 4, stream: 5, fields)) == [.status(status, stream: 5)])
  }

  @Test func `settings and pings are acknowledged once`() throws {
    var frames = HTTP2Frames()
    let settings = try frames.receive(frame(4, 0, stream: 0, []) + frame(4, 1, stream: 0, []))
    #expect(settings == [.reply(frame(4, 1, stream: 0, []))])
    let ping = try frames.receive(frame(6, 0, stream: 0, [1, 2, 3, 4, 5, 6, 7, 8]))
    #expect(ping == [.reply(frame(6, 1, stream: 0, [1, 2, 3, 4, 5, 6, 7, 8]))])
  }

  @Test func `a frame that is too long or padded is refused`() {
    let tooLong: [UInt8] = [1, 0, 1, 0, 0, 0, 0, 0, 1]
    for bytes in [tooLong, frame(0, 8, stream: 1, [0]), frame(1, 0x24, stream: 1, [0])] {
      var frames = HTTP2Frames()
      #expect(throws: HTTP2Frames.Malformed.self) { try frames.receive(bytes) }
    }
  }

  @Test func `an end of the connection and of a stream are reported`() throws {
    var frames = HTTP2Frames()
    let events = try frames.receive(
      frame(3, 0, stream: 7, [0, 0, 0, 2]) + frame(7, 0, stream: 0, [0, 0, 0, 0]))
    #expect(events == [.reset(stream: 7), .goneAway])
  }
}
