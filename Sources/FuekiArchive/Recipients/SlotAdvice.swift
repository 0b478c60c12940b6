/// Advice on a kind of slot for a future restore.
public struct SlotAdvice: Sendable {
  /// A short description of the secret that opens it.
  public let opener: String
  /// A note worth writing down by hand.
  public let note: String
  /// The option of `restore` with its argument; nil if `restore` asks by itself.
  public let option: String?
  /// Whether `restore` also asks for a passphrase, in addition to the option.
  public let asksForPassphrase: Bool
}
