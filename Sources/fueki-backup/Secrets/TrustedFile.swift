internal import FuekiSystem

/// Files that determine the readers of backups and the trusted signers: recipients, guardians, signers, the
/// configuration.
///
/// They are not secret, but anyone who can change them can add a key of their own.
enum TrustedFile {
  /// Opens one.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - isPublicKey: whether it has only public keys of signers, as a checkout of another user has.
  /// - Returns: the file.
  /// - Throws: ``CommandError/othersCanChange(path:_:risk:)`` if anyone but the user, or for public keys the file's
  ///   owner, can write to it; and system errors.
  static func open(_ path: String, isPublicKey: Bool = false) throws -> File {
    let risk = "add their own key"
    let file = try File.open(path)
    if let hand = try file.foreignHand(trustsOwners: isPublicKey) {
      throw CommandError.othersCanChange(path: path, hand, risk: risk)
    }
    return file
  }
}

extension ForeignHand {
  /// Returns the way that others can change a file, in lower case and without a full stop.
  func sentence(_ path: String) -> String {
    switch self {
    case .writableFile(let file): "others can change \(path)" + (file == path ? "" : ", which is \(file)")
    case .writableFolder(let folder):
      "others can replace \(path), because they can write to the folder \(folder)"
    case .owner(let place, let user):
      place == path
        ? "another user can change \(path), which belongs to user \(user)"
        : "another user can change \(path), because \(place) belongs to user \(user)"
    }
  }

  /// The command that corrects it.
  var remedy: String {
    switch self {
    case .writableFile(let path), .writableFolder(let path): "chmod go-w \(ShellWord.quoted(path))"
    case .owner(let folder, let user) where (try? FileStatus.of(folder))?.kind == .directory:
      // A folder that changes hands, such as a home, is lost to its owner.
      CurrentUser.identifier == 0
        ? "run this as \(Account.name(of: user) ?? "user \(user)"), without sudo, or with root's own home: sudo -H"
        : "use a copy in a folder that belongs to you"
    case .owner(let path, _):
      "chown \(Account.current ?? "root") \(ShellWord.quoted(path)), or use a copy that belongs to you"
    }
  }
}
