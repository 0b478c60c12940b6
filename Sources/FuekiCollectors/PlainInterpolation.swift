extension DefaultStringInterpolation {
  /// Shadows the standard library's interpolation, which spells a value without a description as Swift does.
  ///
  /// Users would read the names of cases and types. It is deprecated rather than unavailable, because the
  /// compiler ignores unavailable overloads.
  @available(*, deprecated, message: "say it in words: this shows people Swift's spelling")
  mutating func appendInterpolation<Value>(_ value: Value) { appendLiteral(String(describing: value)) }
}
