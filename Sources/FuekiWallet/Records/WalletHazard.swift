/// Why an old copy of a wallet, or a second live one, can lose money.
public enum WalletHazard: String, CaseIterable, Sendable {
  /// An old channel state can be punished.
  case lightning
  /// Coins expire and must be renewed by one holder.
  case ark
  /// Signing twice is slashed.
  case validator

  /// What can be lost, in a sentence for people.
  public var danger: String {
    switch self {
    case .lightning:
      "it has Lightning channels: a node that publishes an old state of a channel forfeits all of the channel's funds"
    case .ark:
      "it holds coins on Ark: those that were spent, renewed or expired since the backup are gone, and using the old "
        + "ones can lose what replaced them"
    case .validator:
      "it signs for a validator: two that run with the same key are slashed, and so is one that has forgotten what it "
        + "signed"
    }
  }

  /// What to do instead, in a sentence for people.
  public var remedy: String {
    switch self {
    case .lightning:
      "let the peers close the channels through the static channel backup, and never start the node with old state"
    case .ark: "stop the wallet elsewhere, and synchronise with the Ark server before anything is sent"
    case .validator:
      "stop the other one for good, take over its slashing protection history, and wait some epochs before it signs"
    }
  }
}

extension WalletHazard {
  /// The dangers of wallets whose source calls their kind so, such as `lightning` or `eth2-validator`.
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

  /// What can be lost through a danger that a source names, known to this version or not.
  public static func danger(of name: String) -> String {
    WalletHazard(rawValue: name)?.danger
      ?? "its source calls it dangerous when old or in use twice (\(name)); this version knows nothing more about it"
  }
}
