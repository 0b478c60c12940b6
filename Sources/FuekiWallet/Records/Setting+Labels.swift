extension Setting {
  /// The prefix of labels' keys, followed by the type and reference of the labelled item, as in BIP-329.
  package static let labelPrefix = "label."
}
