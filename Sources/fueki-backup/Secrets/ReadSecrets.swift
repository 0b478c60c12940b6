internal import Synchronization

/// The secrets that this run has read or asked for, so that none is read or asked for twice.
///
/// A run may need the same secret again: a keychain that changed while it was read is collected anew. The second read
/// would find an environment variable gone, a descriptor at its end and a person surprised.
enum ReadSecrets {
  /// Where a secret came from.
  enum Key: Hashable {
    case place(file: String?, command: String?, descriptor: Int32?, name: SecretSource.Name)
    case answer(CommandError.Secret)
  }

  private static let known = Mutex<[Key: GivenSecret]>([:])

  /// The secret as it was read before, or as `read` gives it now; what fails or gives none is not remembered.
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

  /// What was typed for it in this run; nil where nobody was asked.
  static func answered(_ secret: CommandError.Secret) -> GivenSecret? {
    known.withLock { $0[.answer(secret)] }
  }

  /// Lets go of all of them, which wipes those that nothing else holds.
  static func forget() { known.withLock { $0 = [:] } }
}
