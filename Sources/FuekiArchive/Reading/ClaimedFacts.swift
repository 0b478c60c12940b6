extension ArchiveFile {
  /// What the first header says, where it is whole, of a file that may be no archive: two small reads, and nothing that
  /// anybody vouches for.
  public var claimedFacts: HeaderFacts? {
    guard let size = try? byteCount(), let first = try? FirstHeader(file: self, size: size),
      let whole = first.whole, first.major == Layout.major
    else { return nil }
    return try? Header(decoding: Array(whole.dropLast(32))).facts
  }
}
