internal import FuekiSystem

/// The secrets of this run, so that each is read or requested only once.
///
/// A run may need the same secret again: a keychain that changed while it was read is collected again. The second read
/// would find an environment variable gone and a descriptor at its end, and would ask the user twice.
enum ReadSecrets {
  /// Where a secret came from.
  enum Key: Hashable {
    case place(SecretPlace?, SecretSource.Name)
    case answer(CommandError.Secret)
  }

  private static let known = Locked<[Key: GivenSecret]>([:])

  /// Returns the secret as read before, or from `read`.
  ///
  /// Failures and missing secrets are not remembered.
  static func once(_ key: Key, _ read: () throws -> GivenSecret?) rethrows -> GivenSecret? {
    if let secret = known.withLock({ $0[key] }) { return secret }
    guard let secret = try read() else { return nil }
    known.withLock { $0[key] = secret }
    return secret
  }

  /// The same for a secret that cannot do without an answer.
  static func once(_ key: Key, _ read: () throws -> GivenSecret) rethrows -> GivenSecret {
    if let secret = known.withLock({ $0[key] }) { return secret }
    let secret = try read()
    known.withLock { $0[key] = secret }
    return secret
  }

  /// Returns the answer typed in this run; nil if the user was not asked.
  static func answered(_ secret: CommandError.Secret) -> GivenSecret? {
    known.withLock { $0[.answer(secret)] }
  }

  /// Lets go of all of them, which wipes those that nothing else holds.
  static func forget() { known.withLock { $0 = [:] } }
}
