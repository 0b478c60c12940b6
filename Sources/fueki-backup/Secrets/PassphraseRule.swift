internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

/// The requirements for a new passphrase.
struct PassphraseRule {
  /// The cost of each guess.
  let cost: Argon2id.Cost
  /// Whether the user insists on a weak passphrase.
  let allowsWeak: Bool
  /// Names that are no obstacle.
  let names: () -> [String]
  /// Whether a passphrase is in use already, and so is not chosen now; asked only of a weak one.
  let isInUse: (SharedSecret) -> Bool

  init(
    _ cost: Argon2id.Cost, allowsWeak: Bool, names: @escaping @autoclosure () -> [String],
    isInUse: @escaping (SharedSecret) -> Bool = { _ in false }
  ) {
    self.cost = cost
    self.allowsWeak = allowsWeak
    self.names = names
    self.isInUse = isInUse
  }

  /// Accepts a passphrase, with a warning if it is not strong.
  ///
  /// - Returns: whether it is strong.
  /// - Throws: ``CommandError/weakPassphrase(time:)`` if it is weak, new, and not overridden.
  func admit(_ secret: SharedSecret, _ console: Console) throws -> Bool {
    let passphrase = try Passphrase(normalising: secret.bytes)
    let strength = try passphrase.strength(knowing: names())
    guard strength.grade != .strong else { return true }
    let time = Readable.guessingTime(strength, at: cost)
    guard strength.grade == .weak, !allowsWeak else {
      console.warning(
        "this passphrase lasts \(time); "
          + "an empty answer at the prompt for a new one generates one of 100 random bits")
      return false
    }
    guard isInUse(secret) else { throw CommandError.weakPassphrase(time: time) }
    console.warning(
      "this passphrase can be guessed: it lasts \(time). The vault's archives open with it already, so the backup "
        + "goes on. Change it with \"fueki-backup key change-passphrase\"")
    return false
  }
}

extension Readable {
  /// How long a passphrase lasts against graphics cards, and at which cost of a guess.
  static func guessingTime(_ strength: PassphraseStrength, at cost: Argon2id.Cost) -> String {
    "\(span(strength.seconds(at: cost))) against \(GuessingMachine.cardCount) graphics cards "
      + "(each guess takes \(cost.memoryKiB >> 10) MiB and \(cost.passes) passes)"
  }

  /// A span of seconds in a whole number of its largest unit.
  static func span(_ seconds: Double) -> String {
    switch seconds {
    case ..<1: "less than a second"
    case ..<120: "about \(count(seconds, "second"))"
    case ..<7200: "about \(count(seconds / 60, "minute"))"
    case ..<172_800: "about \(count(seconds / 3600, "hour"))"
    case ..<63_115_200: "about \(count(seconds / 86_400, "day"))"
    case ..<3e13: "about \(count(seconds / 31_557_600, "year"))"
    default: "more than a million years"
    }
  }

  private static func count(_ value: Double, _ unit: String) -> String {
    let whole = Int(value.rounded())
    return whole == 1 ? "1 \(unit)" : "\(whole) \(unit)s"
  }
}

/// Names that an acquaintance would try first as a passphrase.
enum KnownNames {
  /// Returns the names of the user, the machine, this program and the vault.
  static func of(_ vault: VaultSettings, label: String? = nil) -> [String] {
    let person = [Account.current, Account.currentFullName, Environment.get("USER")]
    let names = person + [HostName.current, label, vault.label, vault.name?.text, "fueki-backup"]
    return names.compactMap(\.self)
  }

  /// Returns the names of a store's wallets; empty if unreadable.
  static func ofWallets(inStore directory: String) -> [String] {
    guard let store = try? WalletStore.open(directory) else { return [] }
    defer { try? store.close() }
    return (try? store.wallets.fetch().map(\.name)) ?? []
  }
}
