internal import Glibc

/// Calls until the answer is not "interrupted", and turns -1 into an error.
///
/// The one place that reads `errno`, but for the few calls that do not answer with -1.
@inline(__always)
func systemCall<Answer: SignedInteger & FixedWidthInteger>(
  _ call: StaticString, _ path: @autoclosure () -> String? = nil, _ body: () -> Answer
) throws(SystemError) -> Answer {
  while true {
    let answer = body()
    if answer != -1 { return answer }
    let code = errno
    if code != EINTR { throw SystemError(code: code, call: "\(call)", path: path()) }
  }
}

/// As ``systemCall(_:_:_:)``, for a call that waits for as long as another program or a person likes.
///
/// After an ``Interruption`` it fails with ``SystemError/isInterrupted``.
@inline(__always)
func waitingCall<Answer: SignedInteger & FixedWidthInteger>(
  _ call: StaticString, _ path: @autoclosure () -> String? = nil, _ body: () -> Answer
) throws(SystemError) -> Answer {
  while true {
    let answer = body()
    if answer != -1 { return answer }
    let code = errno
    if code != EINTR || Interruption.wasRequested {
      throw SystemError(code: code, call: "\(call)", path: path())
    }
  }
}

/// Something that names a file: text, or the bytes that a directory listing gave.
///
/// File names on Linux are bytes. Text is for names that the program makes or that people type; names that
/// were found on a disk stay bytes, because text would change the ones that are not UTF-8.
public protocol PathBytes {
  /// The name's bytes, without a terminating zero.
  var pathBytes: [UInt8] { get }
}

extension String: PathBytes {
  /// The path whose text this is, as ``PathText`` writes it: UTF-8, and the bytes that private characters stand for.
  public var pathBytes: [UInt8] { PathText.bytes(self) }
}

extension [UInt8]: PathBytes {
  /// The bytes themselves.
  public var pathBytes: [UInt8] { self }
}

/// A name as C wants it, made before the call so that nothing runs between the call and `errno`.
struct CPath {
  private let terminated: [CChar]

  init(_ path: some PathBytes) throws(SystemError) {
    let bytes = path.pathBytes
    guard !bytes.contains(0) else {
      throw SystemError(code: EINVAL, call: "open", path: PathText.text(bytes))
    }
    terminated = bytes.map { CChar(bitPattern: $0) } + [0]
  }

  /// A name inside a directory: exactly one component, so that it cannot lead out of it.
  init(component: some PathBytes) throws(SystemError) {
    let bytes = component.pathBytes
    guard !bytes.isEmpty, !bytes.contains(UInt8(ascii: "/")), bytes != [46], bytes != [46, 46] else {
      throw SystemError(code: EINVAL, call: "open", path: PathText.text(bytes))
    }
    try self.init(bytes)
  }

  var bytes: [UInt8] { terminated.dropLast().map { UInt8(bitPattern: $0) } }

  var text: String { PathText.text(bytes) }

  @inline(__always)
  func withPointer<Answer>(_ body: (UnsafePointer<CChar>) -> Answer) -> Answer {
    unsafe terminated.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("the terminating zero is always there") }
      return unsafe body(base)
    }
  }
}
