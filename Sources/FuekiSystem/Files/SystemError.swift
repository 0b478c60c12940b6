internal import Glibc

/// A system call that failed: which, on what, and why.
public struct SystemError: Error, Equatable, Sendable {
  /// The value of `errno`.
  public let code: Int32
  /// The call's name, such as `openat`.
  public let call: String
  /// The file's path or name as text for people, where the call has one; bytes that are not UTF-8 are
  /// replaced.
  public let path: String?
  /// What another program said of it, where that program made the call.
  public let explanation: String?

  /// Describes a failed call.
  public init(code: Int32, call: String, path: String? = nil, explanation: String? = nil) {
    self.code = code
    self.call = call
    self.path = path
    self.explanation = explanation
  }

  /// What another program, or this one in place of the system, found.
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

  /// Describes what failed without a system call.
  public init(_ finding: Finding, call: String, path: String? = nil, explanation: String? = nil) {
    self.init(code: finding.code, call: call, path: path, explanation: explanation)
  }

  /// There is not enough room, as is known without a call of the system's that failed (`ENOSPC`).
  public static func noSpace(path: String) -> SystemError {
    SystemError(code: ENOSPC, call: "fstatvfs", path: path)
  }

  /// The file or directory does not exist (`ENOENT`), a part of its path is no directory (`ENOTDIR`), or the name is
  /// longer than any file's there (`ENAMETOOLONG`).
  public var isNotFound: Bool { code == ENOENT || code == ENOTDIR || code == ENAMETOOLONG }

  /// A folder is where a file was meant (`EISDIR`).
  public var isDirectory: Bool { code == EISDIR }

  /// Something of that name exists already (`EEXIST`, `ENOTEMPTY`).
  public var isAlreadyThere: Bool { code == EEXIST || code == ENOTEMPTY }

  /// There is no room: the file system or the quota is full, or a limit on file sizes was met.
  public var isNoSpace: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

  /// The file system takes no such name: a character, a word or a length that it does not have (`EINVAL`, `EILSEQ`,
  /// `ENAMETOOLONG`, and from some servers `ENOENT`), where the folder itself is there and can be written to.
  public var isNameRefused: Bool {
    code == EINVAL || code == EILSEQ || code == ENAMETOOLONG || code == ENOENT
  }

  /// The file system is read-only (`EROFS`).
  public var isReadOnly: Bool { code == EROFS }

  /// A symbolic link stood where none is followed (`ELOOP`).
  public var isSymbolicLink: Bool { code == ELOOP }

  /// The file ended before the bytes that were asked for.
  public var isEndOfFile: Bool { code == ENODATA }

  /// There are more bytes than the caller has room for, or than its limit allows (`E2BIG`).
  public var isTooLong: Bool { code == E2BIG }

  /// The kernel or the file system cannot do this at all.
  public var isUnsupported: Bool {
    code == EINVAL || code == ENOSYS || code == ENOTSUP || code == EOPNOTSUPP
  }

  /// The reader of a pipe has gone (`EPIPE`).
  public var isBrokenPipe: Bool { code == EPIPE }

  /// A signal asked the program to stop while it waited (`EINTR`).
  public var isInterrupted: Bool { code == EINTR }

  /// What was waited for gave no answer in time (`ETIMEDOUT`).
  public var isTimedOut: Bool { code == ETIMEDOUT }

  /// Who asked may not do this (`EACCES`, `EPERM`).
  public var isNotPermitted: Bool { code == EACCES || code == EPERM }

  /// A program that is needed is not installed (`ENOPKG`).
  public var isNotInstalled: Bool { code == ENOPKG }

  /// One sentence for people, lower case and without a full stop, with the path where there is one.
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
