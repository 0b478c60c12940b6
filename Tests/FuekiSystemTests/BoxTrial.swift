internal import CBoxTrial
import Glibc

/// System calls that a box has to refuse.
enum BoxTrial: String, CaseIterable, Sendable {
  case socket
  case connect
  case execute
  case fork
  case read
  case write
  case create
  case remove
  case permissions
  case trace
  case memory
  case signal
  case threadSignal
  case newCode
  case limit
  case module
  case type
  case owner
  case times
  case attribute
  case truncate
  case empty
  case openToOthers
  case unknown

  /// Those that a box refuses to a reader.
  static let ofReader: [BoxTrial] = [
    .socket, .connect, .execute, .fork, .read, .write, .create, .remove, .permissions, .trace, .memory,
    .signal,
    .threadSignal, .newCode, .limit, .module,
  ]

  /// What changes a file by its name, or for others.
  static let changes: [BoxTrial] = [
    .permissions, .owner, .times, .attribute, .truncate, .empty, .openToOthers,
  ]

  /// Makes the call.
  ///
  /// - Parameters:
  ///   - process: another process, for calls about one.
  ///   - path: a file outside the box, for calls about one.
  /// - Returns: whether the system refused it because the right is missing.
  func isRefused(process: Int32, path: String) -> Bool {
    let code = code(process: process, path: path)
    return code == EPERM || code == EACCES
  }

  /// Makes the call, and returns its error; 0 for none.
  func code(process: Int32 = 0, path: String = "/") -> Int32 {
    unsafe path.withCString { unsafe try_call(number, process, $0) }
  }

  private var number: Int32 {
    let attempt =
      switch self {
      case .socket: TRY_SOCKET
      case .connect: TRY_CONNECT
      case .execute: TRY_EXECUTE
      case .fork: TRY_FORK
      case .read: TRY_READ
      case .write: TRY_WRITE
      case .create: TRY_CREATE
      case .remove: TRY_REMOVE
      case .permissions: TRY_PERMISSIONS
      case .trace: TRY_TRACE
      case .memory: TRY_MEMORY
      case .signal: TRY_SIGNAL
      case .threadSignal: TRY_THREAD_SIGNAL
      case .newCode: TRY_NEW_CODE
      case .limit: TRY_LIMIT
      case .module: TRY_MODULE
      case .type: TRY_TYPE
      case .owner: TRY_OWNER
      case .times: TRY_TIMES
      case .attribute: TRY_ATTRIBUTE
      case .truncate: TRY_TRUNCATE
      case .empty: TRY_EMPTY
      case .openToOthers: TRY_OPEN_TO_OTHERS
      case .unknown: TRY_UNKNOWN
      }
    return Int32(attempt)
  }
}
