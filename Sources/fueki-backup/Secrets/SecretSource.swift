internal import FuekiCrypto
internal import FuekiSystem

/// The places a passphrase may come from; the first that is there is taken.
///
/// It goes from its place into ``SecretBytes`` as bytes, and is never a String.
struct SecretSource {
  /// The place that an option names; nil for the usual ones.
  let place: SecretPlace?
  let name: Name
  let secret: CommandError.Secret
  /// The configured file.
  ///
  /// Options take precedence.
  var configured: String?

  /// Another program's passphrase and a server's key are what others made of them: their bytes stay as they are.
  private var form: GivenSecret.Form {
    switch name {
    case .source: .asTypedOrEmpty
    case .endpoint: .asTyped
    default: .normalised
    }
  }

  /// Which passphrase it is: the ending of every name in the environment.
  enum Name: String, CaseIterable {
    case passphrase = "passphrase"
    case keychain = "keychain-passphrase"
    case new = "new-passphrase"
    case signing = "signing-passphrase"
    case source = "source-passphrase"
    case endpoint = "endpoint-passphrase"

    /// The beginning of the option's name.
    var optionStem: String { self == .endpoint ? "credential" : rawValue }

    /// The option that names the secret's place.
    var option: String { "--\(optionStem)-from" }

    var variable: String { "FUEKI_" + String(rawValue.uppercased().map { $0 == "-" ? "_" : $0 }) }
  }

  /// The most bytes of another program's password, and of a passphrase before it is normalised; with a line end.
  static let capacity = 8194

  /// Returns the passphrase from a source that asks no user, or nil if there is none.
  ///
  /// Each source is read once in a run: an environment variable and a descriptor are empty afterwards, and a command
  /// may have effects.
  func given(_ console: Console) throws -> GivenSecret? {
    try ReadSecrets.once(.place(place, name)) {
      try taken(warning: console)
    }
  }

  private func taken(warning console: Console) throws -> GivenSecret? {
    guard let origin = origin() else { return nil }
    let given = try read(origin, console)
    // A given passphrase opens existing archives, so it is unchanged. Typing it from paper would lose its invisible
    // characters.
    let unseen = UnseenCharacters(in: given.secret)
    for sentence in unseen.sentences(about: origin.subject(secret)) { console.warning(sentence) }
    return given
  }

  /// A place that has a secret.
  private enum Origin {
    case place(SecretPlace)
    case variable(String)

    /// The secret's name in a warning.
    func subject(_ secret: CommandError.Secret) -> String {
      if case .place(.file(let path)) = self { "the passphrase in \(path)" } else { secret.rawValue }
    }
  }

  private func origin() -> Origin? {
    if let place { return .place(place) }
    if let folder = Environment.get("CREDENTIALS_DIRECTORY") {
      let path = "\(folder)/fueki-\(name.rawValue)"
      if (try? File.open(path)) != nil { return .place(.file(ExactText(path))) }
    }
    if let path = Environment.get("\(variable)_FILE") { return .place(.file(ExactText(path))) }
    if Environment.contains(variable) { return .variable(variable) }
    // If it was removed, ask for the passphrase.
    guard let configured, (try? File.open(configured)) != nil else { return nil }
    return .place(.file(ExactText(configured)))
  }

  /// The file that the secret is read from; nil for another place.
  var path: String? {
    if case .place(.file(let path))? = origin() { path.text } else { nil }
  }

  private func read(_ origin: Origin, _ console: Console) throws -> GivenSecret {
    switch origin {
    case .place(let place): return try Self.secret(from: place, form)
    case .variable(let variable):
      console.warning("\(variable) is in the environment, where other programs may read it")
      return try Self.read(form, from: .typed) { buffer in
        try Environment.takeSecret(variable, into: &buffer) ?? 0
      }
    }
  }

  /// Returns an existing passphrase, given or typed.
  ///
  /// `accepts` checks a typed one. A wrong one is requested again, and the third is returned in any case, so that its
  /// user reports the fault. `reassurance` is a sentence that follows "wrong passphrase".
  func read(
    _ console: Console, reassurance: String? = nil, accepts: ((SharedSecret) throws -> Bool)? = nil
  ) throws -> GivenSecret {
    if let given = try given(console) { return given }
    return try ReadSecrets.once(.answer(secret)) {
      guard Terminal.isAvailable else { throw CommandError.noSecret(secret) }
      var tries = 0
      return try Asking.repeatedly { complaint in
        tries += 1
        let typed = try ask(Asking.prompt("passphrase (\(secret.rawValue)):", after: complaint))
        guard let accepts, tries < Asking.tries else { return typed }
        if let right = try typed.reading(where: accepts) { return right }
        throw Failure(.wrongSecret, "wrong passphrase" + (reassurance.map { ". \($0)" } ?? ""))
      }
    }
  }

  /// Returns a new passphrase that was given without asking.
  func givenNew(_ console: Console, _ rule: PassphraseRule) throws -> SharedSecret? {
    guard let given = try given(console) else { return nil }
    _ = try rule.admit(given.secret, console)
    return given.secret
  }

  /// The passphrase of something new: as given, or asked for twice; an empty answer makes one, to the second question
  /// only where the first gave none that is strong.
  func readNew(_ console: Console, _ rule: PassphraseRule) throws -> SharedSecret {
    if let given = try givenNew(console, rule) { return given }
    return try ReadSecrets.once(.answer(secret)) { GivenSecret(try askNew(rule, console)) }.secret
  }

  private func askNew(_ rule: PassphraseRule, _ console: Console) throws -> SharedSecret {
    guard Terminal.isAvailable else { throw CommandError.noSecret(secret) }
    let (answer, isMade) = try Asking.repeatedly { try askTwice($0, rule, console) }
    if isMade { try checkWritten(answer) }
    return answer
  }

  private func askTwice(
    _ complaint: String, _ rule: PassphraseRule, _ console: Console
  ) throws -> (secret: SharedSecret, isMade: Bool) {
    let prompt = Asking.prompt(
      "new passphrase (\(secret.rawValue)), empty to have one made:", after: complaint)
    let (first, isMade) = try askOrMake(prompt)
    guard !isMade else { return (first, true) }
    let isStrong = try rule.admit(first, console)
    let (second, isMadeThen) =
      isStrong
      ? (try ask("the same again: ").secret, false)
      : try askOrMake("the same again, or empty to have one made: ")
    guard !isMadeThen else { return (second, true) }
    let isSame = first.bytes.isEqualInConstantTime(to: second.bytes)
    guard isSame else { throw CommandError.passphrasesDiffer }
    return (first, false)
  }

  /// Makes the user type a generated passphrase once, because the paper must be right before anything is sealed.
  private func checkWritten(_ made: SharedSecret) throws {
    try Asking.repeatedly { complaint in
      let typed = try ask(Asking.prompt("type it from your paper:", after: complaint))
      guard typed.all.contains(where: { $0.bytes.isEqualInConstantTime(to: made.bytes) }) else {
        throw CommandError.passphrasesDiffer
      }
    }
  }

  private var variable: String { name.variable }

  private func ask(_ prompt: String) throws -> GivenSecret {
    try Self.read(form, from: .typed) { buffer in
      try Terminal.readSecret(prompt: prompt, into: &buffer) ?? 0
    }
  }

  /// Returns the typed passphrase, or for an empty line a generated one, which is shown.
  private func askOrMake(_ prompt: String) throws -> (secret: SharedSecret, isMade: Bool) {
    var typed = try SecretBytes(count: Self.capacity)
    let count = try typed.withMutableBytes { try Terminal.readSecret(prompt: prompt, into: &$0) ?? 0 }
    guard count == 0 else {
      return (try GivenSecret(try typed.copy(0..<count), from: .typed, as: form).secret, false)
    }
    let made = try Passphrase.generated()
    let secret = SharedSecret(try made.bytes.copy(0..<made.bytes.count))
    try Self.showOnce(secret)
    return (secret, true)
  }

  /// A passphrase that was made here is shown on the terminal, and nowhere else.
  private static func showOnce(_ secret: SharedSecret) throws {
    try StandardStream.error.write("your new passphrase, shown only now. Write it on paper:\n\n    ")
    let bytes = secret.bytes.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    try StandardStream.error.write(bytes)
    try StandardStream.error.write("\n\n")
  }
}

/// Reads secrets from files, commands and descriptors.
extension SecretSource {
  private static let keyFileBytes = 32...(64 << 20)

  static func privateFile(_ path: String) throws -> File {
    let file: File
    do {
      if let descriptor = HandedFiles.descriptor(of: path) {
        file = try File.duplicating(descriptor: descriptor)
      } else {
        file = try File.open(path)
      }
    } catch  where error.isInterrupted {
      throw error
    } catch {
      // Not status 10, which says that an archive, a target or a wallet is missing.
      throw CommandError.secretUnreadable(source: "the file", reason: error.failure.message)
    }
    let permissions = try file.permissions()
    let forbidden: UInt16 = isCredential(path) ? 0o037 : 0o077
    guard permissions & forbidden == 0 else { throw CommandError.othersCanRead(path: path) }
    // What another process of this program opened was checked there.
    if HandedFiles.descriptor(of: path) == nil { try ForeignSecrets.check(file, path) }
    return file
  }

  /// Returns whether systemd delivered the file, in a folder that is closed to others.
  ///
  /// Access for this user is in an access list, whose mask looks like a group permission.
  private static func isCredential(_ path: String) -> Bool {
    guard let folder = Environment.get("CREDENTIALS_DIRECTORY"), !folder.isEmpty else { return false }
    return ExactText(PathParts(path).folder) == ExactText(folder)
  }

  /// Another program's password, as `--keystore-password-from` names it.
  static func password(from place: SecretPlace) throws -> GivenSecret {
    try secret(from: place, .asTypedOrEmpty)
  }

  /// An archive's passphrase as a file has it now, which may change in a run.
  static func passphrase(inFile path: String) throws -> GivenSecret { try secret(inFile: path, .normalised) }

  static func secret(from place: SecretPlace, _ form: GivenSecret.Form) throws -> GivenSecret {
    switch place {
    case .file(let path): return try secret(inFile: path.text, form)
    case .command(let command): return try secret(fromCommand: command.text, form)
    case .descriptor(let number):
      let file = try File.duplicating(descriptor: number)
      return try read(form, from: .saved) { buffer in try file.read(into: &buffer) }
    }
  }

  private static func secret(inFile path: String, _ form: GivenSecret.Form) throws -> GivenSecret {
    let file = try privateFile(path)
    do {
      return try read(form, from: .saved) { buffer in try file.read(into: &buffer) }
    } catch CommandError.noPassphrase(let problem) {
      throw CommandError.noPassphraseIn(path: path, problem)
    }
  }

  private static func secret(
    fromCommand command: String, _ form: GivenSecret.Form
  ) throws -> GivenSecret {
    try read(form, from: .saved) { buffer in
      let output = try ChildProcess.run(
        shell: command, withoutVariables: Name.allCases.map(\.variable), into: &buffer)
      guard output.ending == .exited(0) else {
        throw CommandError.secretUnreadable(source: "the command", reason: "it \(output.ending.sentence)")
      }
      return output.byteCount
    }
  }

  /// Reads into wiped memory.
  static func read(
    _ form: GivenSecret.Form, from origin: GivenSecret.Origin,
    _ read: (inout MutableSpan<UInt8>) throws -> Int
  ) throws -> GivenSecret {
    var raw = try SecretBytes(count: capacity)
    let count: Int
    do {
      count = try raw.withMutableBytes { buffer in try read(&buffer) }
    } catch let error as SystemError where error.isTooLong {
      guard form == .normalised else {
        throw CommandError.secretUnreadable(
          source: "the password", reason: "it has more than \(capacity - 2) bytes")
      }
      throw CommandError.noPassphrase(.tooLong)
    }
    return try GivenSecret(try raw.copy(0..<count), from: origin, as: form)
  }

  /// All bytes of a key file.
  static func keyFile(_ path: String) throws -> SharedSecret {
    guard let bytes = try PrivateFile.bytes(path, atMost: keyFileBytes.upperBound),
      bytes.count >= keyFileBytes.lowerBound
    else { throw CommandError.secretUnreadable(source: path, reason: "a key file has 32 bytes to 64 MiB") }
    return SharedSecret(bytes)
  }
}
