internal import Glibc

/// A failed system call: its name, its file, and the reason.
public struct SystemError: Error, Equatable, Sendable {
  /// The value of `errno`.
  public let code: Int32
  /// The call's name, such as `openat`.
  public let call: String
  /// The file's path or name as text for people, if the call has one.
  ///
  /// Bytes that are not UTF-8 are replaced.
  public let path: String?
  /// An explanation by another program, if that program made the call.
  public let explanation: String?

  /// Creates the error of a failed call.
  public init(code: Int32, call: String, path: String? = nil, explanation: String? = nil) {
    self.code = code
    self.call = call
    self.path = path
    self.explanation = explanation
  }

  /// A failure found by another program, or by this one instead of the system.
  public enum Finding: Sendable {
    case alreadyThere
    case directory
    case failed
    case interrupted
    case invalid
    case notFound
    case notInstalled
    case notPermitted
    case readOnly
    case timedOut
    case tooLong

    fileprivate var code: Int32 {
      switch self {
      case .alreadyThere: EEXIST
      case .directory: EISDIR
      case .failed: EIO
      case .interrupted: EINTR
      case .invalid: EINVAL
      case .notFound: ENOENT
      case .notInstalled: ENOPKG
      case .notPermitted: EACCES
      case .readOnly: EROFS
      case .timedOut: ETIMEDOUT
      case .tooLong: E2BIG
      }
    }
  }

  /// Creates an error for a failure without a system call.
  public init(_ finding: Finding, call: String, path: String? = nil, explanation: String? = nil) {
    self.init(code: finding.code, call: call, path: path, explanation: explanation)
  }

  /// The other side of a connection ended where more was expected.
  package static func ended(call: String, path: String) -> SystemError {
    SystemError(code: ENODATA, call: call, path: path)
  }

  /// Returns an error for insufficient space that was detected before any call failed (`ENOSPC`).
  public static func noSpace(path: String) -> SystemError {
    SystemError(code: ENOSPC, call: "fstatvfs", path: path)
  }

  /// Whether there is no such file.
  ///
  /// The file or directory does not exist (`ENOENT`), a part of its path is not a directory (`ENOTDIR`), or
  /// the name exceeds the file system's limit (`ENAMETOOLONG`).
  public var isNotFound: Bool { code == ENOENT || code == ENOTDIR || code == ENAMETOOLONG }

  /// Whether a directory was found instead of a file (`EISDIR`).
  public var isDirectory: Bool { code == EISDIR }

  /// Whether the name already exists (`EEXIST`, `ENOTEMPTY`).
  public var isAlreadyThere: Bool { code == EEXIST || code == ENOTEMPTY }

  /// Whether there is no space: the file system or the quota is full, or a file size limit was reached.
  public var isNoSpace: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

  /// The file system takes no such name: a character, a word or a length that it does not have (`EINVAL`, `EILSEQ`,
  /// `ENAMETOOLONG`, and from some servers `ENOENT`), although the folder itself is there and writable.
  public var isNameRefused: Bool {
    code == EINVAL || code == EILSEQ || code == ENAMETOOLONG || code == ENOENT
  }

  /// The file system is read-only (`EROFS`).
  public var isReadOnly: Bool { code == EROFS }

  /// Whether the file ended before the requested bytes.
  public var isEndOfFile: Bool { code == ENODATA }

  /// Whether there are more bytes than the caller's capacity or limit (`E2BIG`).
  public var isTooLong: Bool { code == E2BIG }

  /// Whether the kernel or the file system does not support the operation.
  public var isUnsupported: Bool {
    code == EINVAL || code == ENOSYS || code == ENOTSUP || code == EOPNOTSUPP
  }

  /// Whether the reader of a pipe has closed it (`EPIPE`).
  public var isBrokenPipe: Bool { code == EPIPE }

  /// Whether a signal asked the program to stop while it waited (`EINTR`).
  public var isInterrupted: Bool { code == EINTR }

  /// Whether a wait exceeded its time limit (`ETIMEDOUT`).
  public var isTimedOut: Bool { code == ETIMEDOUT }

  /// Whether permission is missing (`EACCES`, `EPERM`).
  public var isNotPermitted: Bool { code == EACCES || code == EPERM }

  /// Whether a required program is not installed (`ENOPKG`).
  public var isNotInstalled: Bool { code == ENOPKG }

  /// A sentence for people, in lower case and without a full stop, with the path if there is one.
  public var sentence: String {
    let reason = explanation ?? (isEndOfFile ? "the file ends too early" : SystemError.reason(for: code))
    guard let path else { return "\(call): \(reason)" }
    return "\(path): \(reason)"
  }

  private static func reason(for code: Int32) -> String {
    switch code {
    case ENOENT: "no such file or directory"
    case EACCES, EPERM: "permission denied"
    case EEXIST: "it exists already"
    case ENOSPC: "no space left on the device"
    case EDQUOT: "the disk quota is used up"
    case EFBIG: "the limit on file sizes was reached"
    case E2BIG: "it is longer than allowed"
    case EROFS: "the file system is read-only"
    case ENOPKG: "it is not installed"
    case ELOOP: "a symbolic link is not followed here"
    default: messageOfTheSystem(for: code)
    }
  }

  private static func messageOfTheSystem(for code: Int32) -> String {
    var text = [CChar](repeating: 0, count: 256)
    let capacity = text.count
    return unsafe text.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress, unsafe strerror_r(code, base, capacity) == 0 else {
        return "error \(code)"
      }
      return unsafe String(cString: base)
    }
  }
}

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
