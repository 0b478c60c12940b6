extension DefaultStringInterpolation {
  /// Stands before the standard library's own, which spells a value without a description as Swift does: people would
  /// read the names of cases and types.
  ///
  /// Deprecated and not unavailable, because of an unavailable one the compiler takes the library's.
  @available(*, deprecated, message: "say it in words: this shows people Swift's spelling")
  mutating func appendInterpolation<Value>(_ value: Value) { appendLiteral(String(describing: value)) }
}
