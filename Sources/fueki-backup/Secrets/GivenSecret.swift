internal import FuekiCrypto
internal import FuekiSystem

/// A secret as it was given or typed, and the other ways to read it that may open what exists.
struct GivenSecret: Sendable {
  /// How bytes become a secret.
  enum Form {
    /// A passphrase of this program's: normalised, 1 to 1024 bytes.
    case normalised
    /// A server's key, byte for byte.
    case asTyped
    /// Another program's password, byte for byte, possibly empty.
    case asTypedOrEmpty
  }

  /// Where bytes come from.
  enum Origin {
    /// A file or a program's output, which may begin with a byte order mark and ends in a line end.
    case saved
    /// A terminal or the environment: every byte counts.
    case typed
  }

  /// The secret, and what seals what is new.
  private(set) var secret: SharedSecret
  /// The other readings, in the order in which they are tried.
  private(set) var others: [SharedSecret]
  /// A file's bytes but for one newline, where they differ: version 0.2.0 sealed with a byte order mark and with the
  /// first half of a Windows line end.
  private let exact: SharedSecret?

  /// All readings, the secret itself first.
  var all: [SharedSecret] { [secret] + others }

  /// Whether the secret has bytes that an editor added.
  var isExact: Bool { exact.map { $0 === secret } ?? false }

  /// A secret that has one reading.
  init(_ secret: SharedSecret) { (self.secret, others, exact) = (secret, [], nil) }

  /// - Throws: ``CommandError/noPassphrase(_:)`` for bytes that are none, and what holding a secret throws.
  init(_ bytes: borrowing SecretBytes, from origin: Origin, as form: Form) throws {
    guard origin == .saved else {
      let secret = try Self.secret(try bytes.copy(0..<bytes.count), form)
      try self.init(secret, exact: nil, form)
      return
    }
    let text = try Self.withoutLineEnd(try PrivateText.utf8(bytes) ?? bytes.copy(0..<bytes.count))
    let newline = bytes.withBytes { $0.count > 0 && $0[$0.count - 1] == UInt8(ascii: "\n") }
    let raw = try bytes.copy(0..<bytes.count - (newline ? 1 : 0))
    let differs = !raw.isEqualInConstantTime(to: text)
    try self.init(
      try Self.secret(text, form), exact: differs ? try? Self.secret(raw, form) : nil, form)
  }

  private init(_ secret: SharedSecret, exact: SharedSecret?, _ form: Form) throws {
    (self.secret, self.exact) = (secret, exact)
    others = [exact].compactMap(\.self)
    if form == .normalised, let generated = try Passphrase.generatedForm(of: secret.bytes) {
      others.insert(SharedSecret(generated), at: 0)
    }
  }

  /// The same with the first reading that is accepted as the secret; nil if none is.
  func reading(where accepts: (SharedSecret) throws -> Bool) rethrows -> GivenSecret? {
    for (place, reading) in all.enumerated() where try accepts(reading) {
      var found = self
      found.others = all
      found.secret = found.others.remove(at: place)
      return found
    }
    return nil
  }

  /// The text without one newline at its end, LF or CR LF.
  private static func withoutLineEnd(_ text: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
    let end = text.withBytes { text in
      var end = text.count
      guard end > 0, text[end - 1] == UInt8(ascii: "\n") else { return end }
      end -= 1
      return end > 0 && text[end - 1] == UInt8(ascii: "\r") ? end - 1 : end
    }
    return try text.copy(0..<end)
  }

  private static func secret(_ bytes: consuming SecretBytes, _ form: Form) throws -> SharedSecret {
    guard form == .normalised else {
      guard bytes.count > 0 || form == .asTypedOrEmpty else { throw CommandError.noPassphrase(.empty) }
      return SharedSecret(bytes)
    }
    do {
      let passphrase = try Passphrase(normalising: bytes)
      return SharedSecret(try passphrase.bytes.copy(0..<passphrase.bytes.count))
    } catch CryptoError.invalidPassphrase(let problem) {
      throw CommandError.noPassphrase(problem)
    }
  }
}

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

/// A command that seals or signs with secrets from files.
protocol SealingCommand {
  /// The risks that the user accepts.
  var consents: Consents { get }
}

/// Files with secrets that another user can change: that user decides what opens the next archive, or what signs.
enum ForeignSecrets {
  private enum Treatment {
    case warn
    case refuse
    case accept
  }

  private struct State {
    var treatment = Treatment.warn
    var warned: Set<ExactText> = []
  }

  private static let state = Locked(State())

  /// From now on, refuses such files, unless the user accepts them; before, a warning is printed.
  static func refuse(unlessIn consents: Consents) {
    state.withLock { $0.treatment = consents.contains(.foreignSecret) ? .accept : .refuse }
  }

  /// Checks a file that was opened.
  ///
  /// - Throws: ``CommandError/foreignSecret(path:_:)`` where something is sealed with it, and system errors.
  static func check(_ file: borrowing File, _ path: String) throws {
    let treatment = state.withLock(\.treatment)
    guard treatment != .accept, let hand = try file.foreignHand() else { return }
    guard treatment == .warn else { throw CommandError.foreignSecret(path: path, hand) }
    guard state.withLock({ $0.warned.insert(ExactText(path)).inserted }) else { return }
    Console(isJSON: false, isQuiet: false, isVerbose: false)
      .warning("\(hand.sentence(path)), so \"create\" seals nothing with it: \(hand.remedy)")
  }
}
