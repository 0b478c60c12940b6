/// Why an old copy of a wallet, or a second live one, can lose money.
public enum WalletHazard: String, CaseIterable, Sendable {
  /// An old channel state can be punished.
  case lightning
  /// Coins expire and must be renewed by one holder.
  case ark
  /// Signing twice is slashed.
  case validator

  /// The possible loss, as a sentence for people.
  public var danger: String {
    switch self {
    case .lightning:
      "it has Lightning channels: a node that publishes an old state of a channel forfeits all of the channel's funds"
    case .ark:
      "it holds coins on Ark: those that were spent, renewed or expired since the backup are gone, and using the old "
        + "ones can lose what replaced them"
    case .validator:
      "it signs for a validator: two that run with the same key are slashed, and so is a validator that has forgotten what it "
        + "signed"
    }
  }

  /// The advice, as a sentence for people.
  public var remedy: String {
    switch self {
    case .lightning:
      "never start the wallet with old channels. LND and Core Lightning: set up a new node from the seed, with the "
        + "newest channel.backup or emergency.recover. Electrum: restore the wallet from its seed words, import the channel "
        + "backups in the Channels tab, and choose Request force-close. The peers then close the channels, and the coins "
        + "come back to the seed's addresses"
    case .ark: "stop the wallet elsewhere, and synchronise with the Ark server before anything is sent"
    case .validator:
      "stop the other one for good, take over its slashing protection history, and wait some epochs before it signs"
    }
  }
}

extension WalletHazard {
  /// Returns the hazards implied by a source's name for a kind of wallet, such as `lightning` or
  /// `eth2-validator`.
  public static func ofKind(_ kind: String) -> [WalletHazard] {
    let words = kind.lowercased().split { !$0.isLetter }
    return allCases.filter { hazard in words.contains { hazard.words.contains(String($0)) } }
  }

  private var words: [String] {
    switch self {
    case .lightning: ["lightning", "ln", "lnd", "cln", "ldk"]
    case .ark: ["ark", "bark"]
    case .validator: ["validator", "validators"]
    }
  }

  /// Returns the possible loss for a hazard named by a source, even if unknown to this version.
  public static func danger(of name: String) -> String {
    WalletHazard(rawValue: name)?.danger
      ?? "its source calls it dangerous when old or in use twice (\(name)). This version knows nothing more about it"
  }
}
