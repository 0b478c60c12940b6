internal import FuekiCrypto
internal import FuekiSystem

/// The places a passphrase may come from; the first that is there is taken.
///
/// It goes from its place into ``SecretBytes`` as bytes, and is never a String.
struct SecretSource {
  let file: String?
  let command: String?
  let descriptor: Int32?
  let name: Name
  let secret: CommandError.Secret
  /// The file that the configuration names; what a run is handed counts for more.
  var configured: String?

  /// Another program's passphrase and a server's key are what others made of them: their bytes stay as they are.
  private var form: Form { name == .source || name == .endpoint ? .asTyped : .normalised }

  private enum Form {
    case normalised
    case asTyped
  }

  /// Which passphrase it is: the ending of every name in the environment.
  enum Name: String, CaseIterable {
    case passphrase = "passphrase"
    case keychain = "keychain-passphrase"
    case new = "new-passphrase"
    case signing = "signing-passphrase"
    case source = "source-passphrase"
    case endpoint = "endpoint-passphrase"

    var variable: String { "FUEKI_" + String(rawValue.uppercased().map { $0 == "-" ? "_" : $0 }) }
  }

  /// One more byte than a passphrase may have, and a line end.
  private static let capacity = 1026
  private static let keyFileBytes = 32...(64 << 20)

  /// The passphrase from a place that asks nobody, or nil where there is none.
  ///
  /// A place is read once in a run: an environment variable and a descriptor are empty afterwards, and a command may
  /// have effects.
  func given(_ console: Console) throws -> SharedSecret? {
    try ReadSecrets.once(.place(file: file, command: command, descriptor: descriptor, name: name)) {
      try taken(warning: console)
    }
  }

  private func taken(warning console: Console) throws -> SharedSecret? {
    guard let secret = try taken(console) else { return nil }
    // Kept as it is, for it opens what was sealed with it: but what is written on paper lacks it.
    let last = secret.bytes.withBytes { $0.isEmpty ? nil : $0[$0.count - 1] }
    if let last, Self.blanks.contains(last) {
      let ending =
        last == UInt8(ascii: "\r") ? "the first half of a Windows line end" : "a space or a line break"
      console.warning(
        "\(self.secret.rawValue) ends in \(ending), which counts as a part of it: typed without it, the secret opens nothing"
      )
    }
    return secret
  }

  private static let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]

  private func taken(_ console: Console) throws -> SharedSecret? {
    if let file { return try passphrase(inFile: file) }
    if let command { return try passphrase(fromCommand: command) }
    if let descriptor { return try passphrase(fromDescriptor: descriptor) }
    if let folder = Environment.get("CREDENTIALS_DIRECTORY") {
      let path = "\(folder)/fueki-\(name.rawValue)"
      if (try? File.open(path)) != nil { return try passphrase(inFile: path) }
    }
    if let path = Environment.get("\(variable)_FILE") { return try passphrase(inFile: path) }
    guard Environment.contains(variable) else {
      // One that was removed is asked for.
      guard let configured, (try? File.open(configured)) != nil else { return nil }
      return try passphrase(inFile: configured)
    }
    console.warning("\(variable) is in the environment, where other programs may read it")
    return try Self.read(form, lineEnd: .kept) { buffer in
      try Environment.takeSecret(variable, into: &buffer) ?? 0
    }
  }

  /// The passphrase of something that exists: as given, or asked for.
  ///
  /// `accepts` says whether a typed one is right. One that is not is asked for again, and the third is returned whatever
  /// it is, for its user to say what is wrong. `reassurance` is a sentence that follows "wrong passphrase".
  func read(
    _ console: Console, reassurance: String? = nil, accepts: ((SharedSecret) throws -> Bool)? = nil
  ) throws -> SharedSecret {
    if let given = try given(console) { return given }
    return try ReadSecrets.once(.answer(secret)) {
      guard Terminal.isAvailable else { throw CommandError.noSecret(secret) }
      var tries = 0
      return try Asking.repeatedly { complaint in
        tries += 1
        let typed = try ask(Asking.prompt("passphrase (\(secret.rawValue)):", after: complaint))
        guard let accepts, tries < Asking.tries, try !accepts(typed) else { return typed }
        throw Failure(.wrongSecret, "wrong passphrase" + (reassurance.map { ". \($0)" } ?? ""))
      }
    }
  }

  /// The passphrase of something new, where one is given without being asked for.
  func givenNew(_ console: Console, _ rule: PassphraseRule) throws -> SharedSecret? {
    guard let given = try given(console) else { return nil }
    _ = try rule.admit(given, console)
    return given
  }

  /// The passphrase of something new: as given, or asked for twice; an empty answer makes one, to the second question
  /// only where the first gave none that is strong.
  func readNew(_ console: Console, _ rule: PassphraseRule) throws -> SharedSecret {
    if let given = try givenNew(console, rule) { return given }
    return try ReadSecrets.once(.answer(secret)) { try askNew(rule, console) }
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
      ? (try ask("the same again: "), false) : try askOrMake("the same again, or empty to have one made: ")
    guard !isMadeThen else { return (second, true) }
    let isSame = first.bytes.isEqualInConstantTime(to: second.bytes)
    guard isSame else { throw CommandError.passphrasesDiffer }
    return (first, false)
  }

  /// Has a passphrase that was made and shown typed once: what is on paper has to be right before anything is sealed.
  private func checkWritten(_ made: SharedSecret) throws {
    try Asking.repeatedly { complaint in
      let typed = try ask(Asking.prompt("type it from your paper:", after: complaint))
      guard typed.bytes.isEqualInConstantTime(to: made.bytes) else { throw CommandError.passphrasesDiffer }
    }
  }

  /// All bytes of a key file.
  static func keyFile(_ path: String) throws -> SharedSecret {
    let file = try privateFile(path)
    let size = try file.size()
    guard let count = Int(exactly: size), keyFileBytes.contains(count) else {
      throw CommandError.secretUnreadable(source: path, reason: "a key file has 32 bytes to 64 MiB")
    }
    return SharedSecret(
      try SecretBytes(count: count) { buffer in
        guard try file.pread(into: &buffer, at: 0) == count else {
          throw CommandError.secretUnreadable(source: path, reason: "it changed while it was read")
        }
      })
  }

  private var variable: String { name.variable }

  private func ask(_ prompt: String) throws -> SharedSecret {
    try Self.read(form, lineEnd: .kept) { buffer in
      try Terminal.readSecret(prompt: prompt, into: &buffer) ?? 0
    }
  }

  /// What is typed, or one that is made and shown where that is nothing.
  private func askOrMake(_ prompt: String) throws -> (secret: SharedSecret, isMade: Bool) {
    let isEmpty = Flag()
    let secret = try Self.read(form, lineEnd: .kept, generatingWhenEmpty: isEmpty) { buffer in
      try Terminal.readSecret(prompt: prompt, into: &buffer) ?? 0
    }
    if isEmpty.isSet { try Self.showOnce(secret) }
    return (secret, isEmpty.isSet)
  }

  // MARK: places

  static func privateFile(_ path: String) throws -> File {
    let file: File
    do {
      file = try File.open(path)
    } catch {
      // Not status 10, which says that an archive, a target or a wallet is missing.
      throw CommandError.secretUnreadable(source: "the file", reason: error.sentence)
    }
    let permissions = try file.permissions()
    let forbidden: UInt16 = isCredential(path) ? 0o037 : 0o077
    guard permissions & forbidden == 0 else { throw CommandError.othersCanRead(path: path) }
    return file
  }

  /// Whether systemd delivered the file, in a folder that it closes to others; that this user may read it stands in an
  /// access list, whose mask looks like a right of the group's.
  private static func isCredential(_ path: String) -> Bool {
    guard let folder = Environment.get("CREDENTIALS_DIRECTORY"), !folder.isEmpty else { return false }
    return path.hasPrefix("\(folder)/") && !path.dropFirst(folder.count + 1).contains("/")
  }

  private func passphrase(inFile path: String) throws -> SharedSecret {
    let file = try Self.privateFile(path)
    return try Self.read(form) { buffer in try Self.readAll(file, into: &buffer) }
  }

  private func passphrase(fromDescriptor number: Int32) throws -> SharedSecret {
    let file = try File.duplicating(descriptor: number)
    return try Self.read(form) { buffer in try Self.readAll(file, into: &buffer) }
  }

  private func passphrase(fromCommand command: String) throws -> SharedSecret {
    try Self.read(form) { buffer in
      let output = try ChildProcess.run(
        shell: command, withoutVariables: Name.allCases.map(\.variable), into: &buffer)
      guard output.ending == .exited(0) else {
        throw CommandError.secretUnreadable(source: "the command", reason: "it \(output.ending.sentence)")
      }
      return output.byteCount
    }
  }

  private static func readAll(_ file: borrowing File, into buffer: inout MutableSpan<UInt8>) throws -> Int {
    try file.read(into: &buffer)
  }

  // MARK: what was read

  private final class Flag { var isSet = false }

  /// Whether the place ends a passphrase with a newline that is not part of it.
  private enum LineEnd {
    case removed
    case kept
  }

  /// Reads into wiped memory, removes one line end, and normalises what is this program's own.
  private static func read(
    _ form: Form, lineEnd: LineEnd = .removed, generatingWhenEmpty flag: Flag? = nil,
    _ read: (inout MutableSpan<UInt8>) throws -> Int
  ) throws -> SharedSecret {
    var raw = try SecretBytes(count: capacity)
    var count: Int
    do {
      count = try raw.withMutableBytes { buffer in try read(&buffer) }
    } catch let error as SystemError where error.isTooLong {
      throw CommandError.noPassphrase(.tooLong)
    }
    if lineEnd == .removed, count > 0, raw.withBytes({ $0[count - 1] }) == UInt8(ascii: "\n") { count -= 1 }
    if let flag, count == 0 {
      flag.isSet = true
      let made = try Passphrase.generated()
      return SharedSecret(try made.bytes.copy(0..<made.bytes.count))
    }
    let typed = try raw.copy(0..<count)
    guard form == .normalised else {
      guard count > 0 else { throw CommandError.noPassphrase(.empty) }
      return SharedSecret(typed)
    }
    do {
      let passphrase = try Passphrase(normalising: typed)
      return SharedSecret(try passphrase.bytes.copy(0..<passphrase.bytes.count))
    } catch CryptoError.invalidPassphrase(let problem) {
      throw CommandError.noPassphrase(problem)
    }
  }

  /// A passphrase that was made here is shown on the terminal, and nowhere else.
  private static func showOnce(_ secret: SharedSecret) throws {
    try StandardStream.error.write("your new passphrase, shown only now; write it on paper:\n\n    ")
    let bytes = secret.bytes.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    try StandardStream.error.write(bytes)
    try StandardStream.error.write("\n\n")
  }
}
