extension Extra {
  /// A member of a JSON document, as its source text.
  package init(_ name: String, json: String) {
    self.init()
    self.name = name
    self.json = json
  }
}
