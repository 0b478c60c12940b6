extension ArchiveFile {
  /// The unverified claims of an intact first header, at the cost of two small reads.
  ///
  /// The file may not even be an archive.
  public var claimedFacts: HeaderFacts? {
    guard let size = try? byteCount(), let first = try? FirstHeader(file: self, size: size),
      let whole = first.whole, first.major == Layout.major
    else { return nil }
    return try? Header(decoding: Array(whole.dropLast(32))).facts
  }
}
