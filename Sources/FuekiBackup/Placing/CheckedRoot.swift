internal import FuekiSystem

/// The folder below which files go, once it is known who else can change its contents.
struct CheckedRoot: ~Copyable {
  let folder: Directory
  /// The file system's number if it keeps no permissions and the user accepts that; nil otherwise.
  let unprotectedDevice: UInt64?

  /// Checks an opened folder.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - request: the options of the restore.
  ///   - accepted: the file system for which the user has accepted it in this run; nil for none.
  /// - Throws: ``PlacingError/othersFolder(path:)`` if it is another user's, also when run as root;
  ///   ``PlacingError/sharedFolder(path:)`` if others can write to it; ``PlacingError/unprotectedFolder(path:)`` if its
  ///   file system cannot prevent either and the user does not accept that; system errors.
  init(_ folder: consuming Directory, _ request: PlacingRequest, accepted: UInt64?) throws {
    unprotectedDevice = try Self.check(folder, request, accepted)
    self.folder = folder
  }

  private static func check(
    _ folder: borrowing Directory, _ request: PlacingRequest, _ accepted: UInt64?
  ) throws -> UInt64? {
    let status = try folder.status()
    guard let problem = problem(status, folder.path) else { return nil }
    // Programs trust the files in a home.
    guard case .folder = request.root else { throw problem }
    guard accepted != status.device else { return accepted }
    let isUnprotected =
      request.isPreview ? request.unprotected.isAccepted : keepsNoPermissions(folder, request.token)
    guard isUnprotected else { throw problem }
    guard try request.unprotected.isYes(for: folder.path) else {
      throw PlacingError.unprotectedFolder(path: folder.path)
    }
    return status.device
  }

  private static func problem(_ status: FileStatus, _ path: String) -> PlacingError? {
    guard status.owner == CurrentUser.identifier else { return .othersFolder(path: path) }
    return status.isWritableByOthers ? .sharedFolder(path: path) : nil
  }

  /// Whether a new file in the folder does not get the permissions that it is given.
  ///
  /// The trial is a file: it is examined through the descriptor that created it, so that no other user can put a file
  /// of theirs in its place. If the trial fails, the file system is assumed to keep them.
  private static func keepsNoPermissions(_ folder: borrowing Directory, _ token: String) -> Bool {
    let name = PlacedWriting.temporaryName(token)
    defer { try? folder.remove(name) }
    // Closed before it is removed: a file system in user space would keep an open file under another name.
    guard let permissions = try? folder.createFile(name).permissions() else { return false }
    return permissions != 0o600
  }
}
