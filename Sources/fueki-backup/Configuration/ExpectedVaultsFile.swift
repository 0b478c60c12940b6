internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// The file of `status --expected`: TOML with a table for each vault that should be backed up.
enum ExpectedVaultsFile {
  /// Room for some 50,000 vaults.
  static let byteLimit = 16 << 20
  private static let manual = "fueki-backup-status(1)"

  private static let keys = [
    ConfigurationKey(table: .vault, name: "id", kind: .text),
    ConfigurationKey(table: .vault, name: "label", kind: .text),
    ConfigurationKey(table: .vault, name: "owner", kind: .text),
    ConfigurationKey(table: .vault, name: "signers", kind: .texts),
    ConfigurationKey(table: .vault, name: "max_age", kind: .text),
    ConfigurationKey(table: .vault, name: "max_drill_age", kind: .text),
    ConfigurationKey(table: .vault, name: "target", kind: .path),
    ConfigurationKey(table: .vault, name: "recipients", kind: .number(0...255)),
  ]

  /// Reads a list, after checking its signature if keys are given.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - signers: the keys of which one must have signed it; nil requires none.
  /// - Returns: the list, each vault in it once.
  /// - Throws: ``CommandError/configuration(_:)`` with the line of the first fault, and exit status 23 if the signature
  ///   is missing or not of these keys, 24 if it is older than one that this machine has seen.
  static func read(_ path: String, signedBy signers: Set<Ed25519.PublicKey>?) throws -> ExpectedVaults {
    let path = try AbsolutePath.of(path)
    var signed: UInt64?
    let file = try ConfigurationFile(
      path: path, keys: keys, limit: byteLimit, manual: manual,
      // What a signer signed may lie anywhere.
      risk: signers == nil ? "remove a vault from the list, or accept another signer for it" : nil
    ) { bytes in
      if let signers { signed = try checkSignature(of: bytes, path, signers).time }
    }
    var seen: Set<VaultID> = []
    let vaults = try (file.entries[.vault] ?? []).map { entry in
      let vault = try vault(entry, file: path)
      guard seen.insert(vault.id).inserted else {
        throw problem(path, entry.lines["id"], "vault \(vault.id.hex) is in the list twice")
      }
      return vault
    }
    guard !vaults.isEmpty else { throw problem(path, nil, "it has no [[vault]]") }
    var list = ExpectedVaults(vaults)
    list.signed = signed
    return list
  }

  private static func checkSignature(
    of bytes: [UInt8], _ path: String, _ signers: Set<Ed25519.PublicKey>
  ) throws -> FileSignature.Statement {
    let signature = try? TextFile.text(at: path + ".minisig")
    guard bytes.starts(with: FileSignature.expectedLabel.utf8),
      let statement = signature.flatMap({ FileSignature.statement(of: $0, over: bytes, among: signers) })
    else {
      throw Failure(
        .untrusted,
        signature == nil
          ? "\(path) has no signature: \(path).minisig is not there or cannot be read"
          : "\(path) is not signed by an expected signer, or was changed since",
        meaning: "nothing was judged by it",
        hint:
          "if the list is right, its owner signs it again: fueki-backup key sign \(ShellWord.quoted(path))")
    }
    try ListDate.check(statement, path)
    return statement
  }

  private static func vault(_ entry: ConfigurationFile.Entry, file: String) throws -> ExpectedVault {
    func text(_ key: String) -> String? { entry.values[key]?.text }
    guard let id = text("id").flatMap(VaultID.init(hex:)) else {
      throw problem(file, entry.lines["id"] ?? entry.line, "[[vault]] needs an \"id\" of 32 hex digits")
    }
    func seconds(_ key: String) throws -> Double? {
      guard let text = text(key) else { return nil }
      guard let duration = DurationArgument(argument: text) else {
        throw problem(file, entry.lines[key], "\"\(key)\" must be a duration, such as \"26h\" or \"8d\"")
      }
      return duration.seconds
    }
    var vault = ExpectedVault(id)
    vault.label = text("label").map(ExactText.init(_:))
    vault.owner = text("owner")
    vault.signers = Set(
      try (entry.values["signers"]?.texts ?? []).flatMap { text in
        guard let signers = try? SignerList.signers(in: text) else {
          throw problem(file, entry.lines["signers"], "\"signers\" has no key in \"\(text)\"")
        }
        return signers.map(\.publicKey)
      })
    vault.maxAge = try seconds("max_age")
    vault.maxDrillAge = try seconds("max_drill_age")
    let target = VaultSettings(entry, file: file).path("target").map { path in
      Target(path: text("target").map { Target(path: $0).kind == .rclone ? $0 : path } ?? path)
    }
    (vault.target, vault.targetPath) = (target?.place, target?.path)
    vault.recipients = entry.values["recipients"]?.number
    return vault
  }

  private static func problem(_ path: String, _ line: Int?, _ what: String) -> CommandError {
    .configuration(
      ConfigurationProblem(
        path: path, line: line, what: what, hint: "\(manual) describes the list"))
  }

  /// Writes a list of vaults to a new file.
  ///
  /// - Parameters:
  ///   - list: the vaults.
  ///   - targets: the targets that they are in. The list names one below its own folder relative to it, so that both
  ///     can move together.
  ///   - path: the file.
  /// - Throws: exit status 40 if the file exists.
  static func write(_ list: ExpectedVaults, in targets: [Target], to path: String) throws {
    let remotes = targets.filter { $0.kind == .rclone }
    let paths = Dictionary(remotes.map { ($0.place, $0.path) }) { first, _ in first }
    let file = try AbsolutePath.of(path)
    let folder = Target(path: PathParts(file).folder).place
    var text = ConfigurationText(comment: [
      "fueki/1 expected vaults",
      "Made by status --write-expected. Check ids and signers, and add owners. Then sign it: fueki-backup key sign FILE",
    ])
    for vault in list.vaults {
      text.begin(.vault)
      text.add("id", vault.id.hex)
      text.add("label", vault.label?.text)
      text.add("owner", vault.owner)
      text.add("signers", vault.signers.sorted().map(\.hex))
      for (key, number) in vault.otherSigners.sorted(by: { $0.key < $1.key }) {
        text.add(
          comment:
            "Another key signed archives up to number \(number). Remove the \"# \" only if it is the vault's:"
        )
        text.add(comment: "signers = [\"\(key.hex)\"]")
      }
      text.add("max_age", vault.maxAge.map(Self.duration))
      text.add("target", vault.target.map { paths[$0] ?? shortened($0, below: folder) })
      text.add("recipients", vault.recipients.map(UInt32.init(clamping:)))
    }
    try OutputFile.write(text.text, to: file, existing: .kept)
  }

  /// Returns a place relative to a folder that it is in, else from the root.
  private static func shortened(_ place: ExactText, below folder: ExactText) -> String {
    guard place != folder else { return "." }
    guard folder != "/", place.text.isBelow(folder.text) else { return place.text }
    let rest = String(place.text.utf8.dropFirst(folder.text.utf8.count + 1)) ?? ""
    // Neither a home nor a remote.
    return rest.hasPrefix("~") || Target(path: rest).kind == .rclone ? "./\(rest)" : rest
  }

  private static func duration(_ seconds: Double) -> String {
    let count = Int64(seconds)
    if count > 0, count % 86_400 == 0 { return "\(count / 86_400)d" }
    return count > 0 && count % 3600 == 0 ? "\(count / 3600)h" : "\(count)s"
  }
}

/// The result of checking the signature of a list of expected vaults.
enum ListSignature: String {
  /// It is by a required key.
  case verified
  /// There is one, and none is required.
  case notChecked = "not-checked"
  /// There is none, and none is required.
  case unsigned
}

/// The date of a signed list of expected vaults, which its signature covers.
enum ListDate {
  /// Compares it with the newest list that this machine has seen at the path, and remembers it.
  ///
  /// A machine whose state cannot be read or written remembers none.
  ///
  /// - Throws: a ``Failure`` for an older list, and for one without a date after one with a date.
  static func check(_ signature: FileSignature.Statement, _ path: String) throws {
    guard let state = try? Places.state() else { return }
    let place = ExactText(path)
    let newest = (try? state.listDate(of: signature.signer, at: place)) ?? nil
    if let newest, signature.time ?? 0 < newest { throw older(signature.time, than: newest, path) }
    // A clock that was ahead once must not shut out all later lists.
    let now = UInt64(max(0, SystemClock.now) / 1_000_000)
    guard let time = signature.time.map({ min($0, now) }), time > newest ?? 0 else { return }
    try? state.keep(listDate: time, of: signature.signer, at: place)
  }

  private static func older(_ time: UInt64?, than newest: UInt64, _ path: String) -> Failure {
    let signed = time.map { "was signed at \(Times.text($0))" } ?? "does not say when it was signed"
    return Failure(
      .older, "\(path) \(signed), and this machine has seen the list of \(Times.text(newest)) there",
      meaning: "a vault that was added since is missing from it. Nothing was judged by it",
      hint: "use the newest list. If its owner took something back, it is signed again: "
        + "fueki-backup key sign \(ShellWord.quoted(path))")
  }
}
