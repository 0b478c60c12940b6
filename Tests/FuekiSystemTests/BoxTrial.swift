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

  /// Makes the call.
  ///
  /// - Parameters:
  ///   - process: another process, for calls about one.
  ///   - path: a file outside the box, for calls about one.
  /// - Returns: whether the system refused it because the right is missing.
  func isRefused(process: Int32, path: String) -> Bool {
    let code = unsafe path.withCString { unsafe try_call(number, process, $0) }
    return code == EPERM || code == EACCES
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
      }
    return Int32(attempt)
  }
}
