extension Extra {
  /// Creates an entry from a JSON member's source text.
  package init(_ name: String, json: String) {
    self.init()
    self.name = name
    self.json = json
  }
}
