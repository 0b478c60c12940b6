internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// Which vault a backup goes to, where two machines may be meant: the options, the questions and the sentences.
struct WhichVault {
  let configuration: Configuration
  /// The beginning of the id of a vault to continue; nil if none was given.
  let continued: String?
  /// Whether the machine gets a vault of its own.
  let isNew: Bool
  let isJSON: Bool

  /// The owner's choice by options.
  ///
  /// - Parameters:
  ///   - named: the vault, as far as this machine can name it.
  ///   - targets: have the archives.
  ///   - state: this machine's state.
  /// - Returns: nil without one.
  /// - Throws: ``CommandError/usage(_:)`` if no vault has the id, several have, or something else names the vault.
  func choice(_ named: NamedVault, in targets: [Target], _ state: StateDirectory) throws -> VaultChoice? {
    guard let continued else { return isNew ? .new : nil }
    let wanted = continued.lowercased()
    guard !wanted.isEmpty else {
      throw CommandError.usage("--continue needs the id of a vault, or its beginning")
    }
    let found = try targets.archives().map(\.facts.vaultID)
    let ids = Set(found + state.vaults().keys).filter { $0.hex.hasPrefix(wanted) }
    guard let id = ids.first else {
      throw CommandError.usage(
        "no target has archives of a vault \(continued): \"fueki-backup list\" shows the ids")
    }
    guard ids.count == 1 else {
      throw CommandError.usage("\(ids.count) vaults begin with \(continued): type more of the id")
    }
    guard named.isStoreless && !named.isConfigured || named.id == id else {
      let name = named.isStoreless ? "the configuration" : "the store"
      throw CommandError.usage("\(name) says which vault this is: --continue is for sources without one")
    }
    return .existing(id)
  }

  /// Asks on a terminal.
  func ask(_ question: VaultQuestion) throws -> VaultChoice? {
    guard Terminal.isAvailable, !isJSON else { return nil }
    switch question {
    case .others(let others):
      let names = others.map { configuration.name(of: $0) ?? $0.hex }.joined(separator: ", ")
      let begins = try Asking.yes(
        "the target has archives of another vault (\(names)). Begin a second vault next to them",
        default: false)
      return begins ? .new : nil
    case .elsewhere(let vault):
      return try Self.ask(vault)
    }
  }

  /// Asks whether a vault is this machine's: no default answers, since the answer decides about the money of two machines.
  static func ask(_ vault: VaultElsewhere) throws -> VaultChoice {
    Asking.say([
      vault.sentence + ".",
      "If this machine takes that one's place, go on with its vault. If both go on, each needs a vault of its own.",
    ])
    return try Asking.yes("go on with that vault") ? .existing(vault.id) : .new
  }

  /// Asks about each vault in the targets that a passphrase opens, on a machine that has made no backup.
  ///
  /// - Parameters:
  ///   - passphrase: the passphrase of the archives.
  ///   - targets: the targets.
  /// - Returns: the vault that the configuration names; nil if there was no question.
  /// - Throws: what reading the state, the archives and the answers throws.
  static func ask(opening passphrase: SharedSecret, _ targets: [Target]) throws -> VaultID? {
    let state = try Places.state()
    guard try state.storelessVaultID() == nil else { return nil }
    let archives = try targets.archives()
    let recognition = VaultRecognition(secrets: { UnlockingSecrets(passphrases: [passphrase]) }) { _, _ in
      false
    }
    let found = try recognition.find(among: archives, vault: nil, own: [], unknownTo: state, Trust())
    guard !found.proven.isEmpty else { return nil }
    for vault in found.proven {
      if case .existing(let id) = try ask(vault.elsewhere(among: archives)) { return id }
    }
    return VaultID.random()
  }

  /// Says after a backup what is still open, and what there is beside the vault; no option hides it.
  static func report(undecided: VaultID?, beside: [VaultID], _ console: Console) {
    if let undecided {
      console.line(
        "vault \(undecided.hex) in the target opens with your passphrase, and may be another machine's: this machine backs "
          + "up to a vault of its own until you choose. \(undecided.ways)")
    }
    if !beside.isEmpty {
      let ids = beside.map(\.hex).joined(separator: ", ")
      console.line(
        "this is the first archive of a new vault, and the target has archives of another one (\(ids)), of which this "
          + "machine knows nothing. They are unchanged, and need their own passphrase: keep it. If they are this "
          + "machine's earlier backups, \"fueki-backup list\" shows them")
    }
  }
}

extension VaultElsewhere {
  /// The vault, who made its newest archive and when, and what of it is not here.
  var sentence: String {
    let number = sequence.map { "archive \($0)" } ?? "its newest archive"
    let maker = device.isEmpty ? "" : " on \(device)"
    let date = created.map { ", on \(Times.text($0))" } ?? ""
    return "the target has vault \(id.hex), which your passphrase opens: \(number) was made\(maker)\(date)"
      + (presence.map(\.sentence) ?? "")
  }
}

extension VaultPresence {
  fileprivate var sentence: String {
    switch self {
    case .some(let lacking):
      ", and of what it has, this machine lacks \(lacking.prefix(3).joined(separator: ", "))"
        + (lacking.count > 3 ? " and \(Readable.count(lacking.count - 3, "more thing"))" : "")
    case .all: ", and all of what it has is here"
    case .none: ", and nothing of what it has was found here"
    }
  }
}

extension VaultID {
  /// Both ways to choose, and what each means for another machine.
  var ways: String {
    "If that vault is this machine's, after a lost state or as the successor of the machine that made it: "
      + "fueki-backup create --continue \(hex.prefix(12)). If another machine still makes its backups: "
      + "fueki-backup create --new-vault, which leaves the other's archives alone"
  }
}
