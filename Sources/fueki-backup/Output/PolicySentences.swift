internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto

// Reports on an administrator's policy.

extension MachinePolicy {
  /// The reason that the policy's file is not followed; nil if it is.
  var refusalSentence: String? {
    guard let refusal else { return nil }
    return switch refusal {
    case .unreadable(let error): "the policy cannot be read: \(Failure(describing: error).message)"
    case .unsigned: "the policy \(path) has no signature: \(path).minisig is not there or cannot be read"
    case .wronglySigned:
      "the policy \(path) is not signed by a key in \"signers\" of [policy], or was changed since"
    case .malformed(let error): "the policy has a fault: \(Failure(describing: error).message)"
    case .older(let number, let accepted):
      "the policy \(path) has number \(number), but this machine has already accepted number \(accepted)"
    case .ambiguous(let number):
      "the policy \(path) is not the one with number \(number) that this machine accepted"
    case .state(let error):
      "this machine's record of the policy cannot be read: \(Failure(describing: error).message)"
    }
  }

  /// The next step after a refusal.
  var refusalHint: String? {
    guard let refusal else { return nil }
    let signing = "fueki-backup key sign \(ShellWord.quoted(path))"
    return switch refusal {
    case .unreadable: "get the policy and its .minisig again, or remove [policy] from the configuration"
    case .unsigned, .wronglySigned: "if the policy is right, its administrator signs it again: \(signing)"
    case .malformed: "the administrator corrects it, raises its number and signs it: \(signing)"
    case .older, .ambiguous:
      "get the newest policy. If this one is meant, its administrator raises its number and signs it: \(signing)"
    case .state(let error): Failure(describing: error).hint ?? "fueki-backup doctor checks the state"
    }
  }

  private var consequence: String {
    rules.map { "Number \($0.number), the last one accepted, still applies" } ?? "No policy applies"
  }

  /// Prints the reason if the policy's file is not followed.
  ///
  /// - Returns: whether it is.
  func reportRefusal(_ console: Console) -> Bool {
    guard let refusalSentence else { return true }
    console.warning("\(refusalSentence). \(consequence)")
    if let refusalHint { console.note("  hint: \(refusalHint)") }
    return false
  }

  private static func sentence(waiting recipient: NamedRecipient) -> String {
    let scopes =
      recipient.mask == .all ? "everything" : recipient.mask.scopes.map(\.name).joined(separator: ", ")
    let danger = recipient.mask == .all ? ", private keys included" : ""
    return
      "the policy adds the recipient \(recipient.text), whose owner could read \(scopes) in your archives\(danger). "
      + "Nothing is sealed to it until you agree"
  }

  private static func hint(waiting recipient: NamedRecipient) -> String {
    "if you know whose key it is: fueki-backup create --accept recipients=\(recipient.text)"
  }

  private static func sentence(leavingOut recipients: [NamedRecipient], of vault: VaultSettings) -> String {
    let list = recipients.map(\.text).joined(separator: ", ")
    return Readable.count(recipients.count, "recipient") + " of the policy cannot open the archives"
      + (vault.name.map { " of the vault \"\($0)\"" } ?? "") + ": no slot is left for \(list)"
  }

  private static let roomHint =
    "an archive has \(Limits.slots.upperBound) slots, with those for a passphrase and guardians: use fewer recipients "
    + "of your own, or ask the policy's administrator for fewer"

  /// Prints the policy's recipients for which no slot is left, if there are any.
  static func warn(leavingOut recipients: [NamedRecipient], of vault: VaultSettings, _ console: Console) {
    guard !recipients.isEmpty else { return }
    console.warning(sentence(leavingOut: recipients, of: vault))
    console.note("  hint: \(roomHint)")
  }

  /// The recipients for which no slot is left, by the vaults in whose archives.
  private func leftOut(of vaults: [VaultSettings]) -> [(vault: VaultSettings, recipients: [NamedRecipient])] {
    guard !agreed.isEmpty else { return [] }
    // An unreadable file is reported by the checks of files.
    return vaults.map { ($0, (try? $0.archiveRecipients().leftOut) ?? []) }.filter { !$0.recipients.isEmpty }
  }

  /// Reports that the version applies from now on, and the owner's settings that are stricter.
  func announce(_ vaults: [VaultSettings], _ console: Console) {
    guard let rules else { return }
    console.note("policy number \(rules.number)\(author) applies from now on")
    for vault in vaults.isEmpty ? [VaultSettings()] : vaults {
      let name = vaults.count > 1 ? vault.name.map { "vault \"\($0)\": " } ?? "" : ""
      for line in overruled(vault) { console.note("  \(name)\(line)") }
    }
  }

  /// Reports a run that has made an archive.
  ///
  /// - Parameters:
  ///   - vault: the archive's.
  ///   - recipients: the policy's recipients for which no slot was left.
  ///   - console: receives the warnings.
  /// - Returns: whether the policy was followed.
  func report(_ vault: VaultSettings, leavingOut recipients: [NamedRecipient], _ console: Console) -> Bool {
    Self.warn(leavingOut: recipients, of: vault, console)
    return reportRefusal(console) && recipients.isEmpty
  }

  /// Reports what else a run of `create` did not follow.
  ///
  /// - Parameters:
  ///   - targets: the policy's targets that got no archive, because of keys.
  ///   - console: receives the warnings.
  /// - Returns: whether the policy was followed.
  func report(holdingBack targets: [Target], _ console: Console) -> Bool {
    for recipient in waiting {
      console.warning(Self.sentence(waiting: recipient))
      console.note("  hint: \(Self.hint(waiting: recipient))")
    }
    for target in targets {
      console.warning(
        "the policy's target \(target.path) was left out: with it, unencrypted keys would stay out of every archive"
      )
      console.note(
        "  hint: declare it as a [[target]] of your own, with private_keys = false to leave these keys out of all"
          + (target.kind == .rclone ? "" : ", or with true to include them"))
    }
    return waiting.isEmpty && targets.isEmpty
  }

  private var author: String { (rules?.administrator).map { " of \($0)" } ?? "" }

  /// The owner's settings that are stricter than the policy, and so stay.
  private func overruled(_ vault: VaultSettings) -> [String] {
    var lines: [String] = []
    func add(_ key: String, _ demanded: UInt32?, _ own: UInt32, _ unit: String) {
      guard let demanded, demanded < own else { return }
      lines.append("\(key) stays at \(own)\(unit): the policy's \(demanded)\(unit) is weaker")
    }
    add(
      "parity", rules?.parity.map { UInt32(clamping: $0.percent) },
      UInt32(clamping: vault.parity?.percent ?? 0), "%")
    add("kdf_memory", rules?.kdfMemory, vault.kdfMemory ?? CostOptions.memory, "")
    add("kdf_passes", rules?.kdfPasses, vault.kdfPasses ?? CostOptions.passes, "")
    return lines
  }

  /// Returns the problems that `status` lists.
  func problems(_ vaults: [VaultSettings]) -> [String] {
    (refusalSentence.map { ["\($0). \(consequence)"] } ?? [])
      + waiting.map(Self.sentence)
      + leftOut(of: vaults).map { Self.sentence(leavingOut: $0.recipients, of: $0.vault) }
  }

  /// Returns the checks of `doctor`.
  func checks(_ vaults: [VaultSettings]) -> [Check] {
    let name = "policy"
    var checks = waiting.map {
      Check.warning(name, Self.sentence(waiting: $0), remedy: Self.hint(waiting: $0))
    }
    checks += leftOut(of: vaults).map {
      Check.warning(name, Self.sentence(leavingOut: $0.recipients, of: $0.vault), remedy: Self.roomHint)
    }
    if let refusalSentence, let refusalHint {
      checks.append(.failed(name, "\(refusalSentence). \(consequence)", remedy: refusalHint))
    } else if let rules, let signer {
      checks.append(.ok(name, "number \(rules.number)\(author), signed by \(signer.hex.prefix(16))"))
    }
    return checks
  }
}

extension MachinePolicy {
  private var origin: String {
    rules.map { "policy number \($0.number)" + (refusal == nil ? "" : ", the last one accepted") } ?? "policy"
  }

  /// The policy's rules for `config show`.
  var shownValues: [ConfigDocument.Value] {
    var values: [ConfigDocument.Value] = []
    func add(_ key: String, _ value: ConfigurationFile.Value?, _ more: String = "") {
      guard let value else { return }
      values.append(ConfigDocument.Value(key: key, value, origin: origin + more))
    }
    func add(_ key: String, seconds: Double?) {
      add(key, seconds.map { .text(ExpectedVaultsFile.duration($0)) })
    }
    add("number", rules.map { .number($0.number) })
    add("administrator", (rules?.administrator).map { .text($0) })
    if !agreed.isEmpty { add("recipients", .texts(agreed.map(\.line))) }
    if !waiting.isEmpty { add("recipients", .texts(waiting.map(\.line)), ", not used until you agree") }
    let targets = (rules?.targets ?? []).map(\.path)
    if !targets.isEmpty { add("targets", .texts(targets)) }
    add("max_age", seconds: rules?.maxAge)
    add("max_verify_age", seconds: rules?.maxVerifyAge)
    add("max_drill_age", seconds: rules?.maxDrillAge)
    let kept: [(String, RetentionRules.Count?)] = [
      ("keep_last", rules?.retention.last), ("keep_hourly", rules?.retention.hourly),
      ("keep_daily", rules?.retention.daily), ("keep_weekly", rules?.retention.weekly),
      ("keep_monthly", rules?.retention.monthly), ("keep_yearly", rules?.retention.yearly),
    ]
    for case (let key, .number(let count)) in kept { add(key, .number(count)) }
    if let within = rules?.retention.within { add("keep_within", .text(within.text)) }
    if let refusalSentence { add("refused", .text(refusalSentence)) }
    return values
  }

  /// Returns the values of a vault with those that the policy makes stricter.
  func applied(to values: [ConfigDocument.Value], _ vault: VaultSettings) -> [ConfigDocument.Value] {
    func number(_ demanded: UInt32?, _ own: UInt32) -> ConfigurationFile.Value? {
      demanded.flatMap { $0 > own ? .number(Int($0)) : nil }
    }
    let parity = rules?.parity.flatMap { $0.percent > vault.parity?.percent ?? 0 ? $0 : nil }
    let stricter: [String: ConfigurationFile.Value?] = [
      "parity": parity.map { .text("\($0.percent)%") },
      "kdf_memory": number(rules?.kdfMemory, vault.kdfMemory ?? CostOptions.memory),
      "kdf_passes": number(rules?.kdfPasses, vault.kdfPasses ?? CostOptions.passes),
    ]
    return values.map { value in
      (stricter[value.key] ?? nil).map { ConfigDocument.Value(key: value.key, $0, origin: origin) } ?? value
    }
  }
}
