internal import FuekiWallet

/// The wallets whose unencrypted keys stay out by a decision: shown each time, since it is the money that stays out.
enum DeclinedKeysLines {
  /// One line for each kind of decision.
  static func lines(_ declined: [DeclinedKeys]) -> [String] {
    DeclinedKeys.Decision.allCases.compactMap { decision in
      let sources = declined.filter { $0.decision == decision }.map(\.source)
      guard !sources.isEmpty else { return nil }
      return "left out by your decision: the unencrypted keys of \(sources.joined(separator: ", ")). "
        + decision.change
    }
  }
}

extension DeclinedKeys.Decision {
  /// The way to decide otherwise.
  fileprivate var change: String {
    switch self {
    case .target: "To include them, change private_keys in the [[target]], or use --accept synced-keys."
    case .source: "To include them, remove include_private_keys = false from the [[source]]."
    }
  }
}

/// A decision in JSON documents.
struct DeclinedKeysDocument: Encodable {
  let source: String
  let decision: String

  init(_ declined: DeclinedKeys) {
    source = declined.source
    decision = declined.decision.rawValue
  }
}
