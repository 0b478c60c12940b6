extension Setting {
  /// What the keys of labels begin with: behind it the type of what is labelled, and which one it is, as BIP-329 has them.
  package static let labelPrefix = "label."
}
