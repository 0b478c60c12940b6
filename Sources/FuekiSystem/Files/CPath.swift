internal import Glibc

/// Repeats a call while it is interrupted, and converts -1 to an error.
///
/// This is the only place that reads `errno`, except for the few calls that do not return -1.
@inline(__always)
func systemCall<Answer: SignedInteger & FixedWidthInteger>(
  _ call: StaticString, _ path: @autoclosure () -> String? = nil, _ body: () -> Answer
) throws(SystemError) -> Answer {
  try repeated(call, path, isWaiting: false, body)
}

/// As ``systemCall(_:_:_:)``, for a call that waits for as long as another program or a person likes.
///
/// After an ``Interruption`` it fails with ``SystemError/isInterrupted``.
@inline(__always)
func waitingCall<Answer: SignedInteger & FixedWidthInteger>(
  _ call: StaticString, _ path: @autoclosure () -> String? = nil, _ body: () -> Answer
) throws(SystemError) -> Answer {
  try repeated(call, path, isWaiting: true, body)
}

@inline(__always)
private func repeated<Answer: SignedInteger & FixedWidthInteger>(
  _ call: StaticString, _ path: () -> String?, isWaiting: Bool, _ body: () -> Answer
) throws(SystemError) -> Answer {
  while true {
    let answer = body()
    if answer != -1 { return answer }
    let code = errno
    guard code == EINTR, !isWaiting || !Interruption.wasRequested else {
      throw SystemError(code: code, call: "\(call)", path: path())
    }
  }
}

extension String: PathBytes {
  /// The bytes of a path in ``PathText``'s form: UTF-8, with private characters decoded to their bytes.
  public var pathBytes: [UInt8] { PathText.bytes(self) }
}

extension [UInt8]: PathBytes {
  /// The array's own bytes.
  public var pathBytes: [UInt8] { self }
}

/// A C string, created before a call so that nothing runs between the call and reading `errno`.
struct CPath {
  private let terminated: [CChar]

  init(_ path: some PathBytes) throws(SystemError) {
    let bytes = path.pathBytes
    guard !bytes.contains(0) else {
      throw SystemError(code: EINVAL, call: "open", path: PathText.text(bytes))
    }
    terminated = bytes.map { CChar(bitPattern: $0) } + [0]
  }

  /// Validates a name in a directory: exactly one component, so that it cannot lead elsewhere.
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
