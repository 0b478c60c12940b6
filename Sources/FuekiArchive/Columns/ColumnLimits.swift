/// The limits of a block's column form: "Column form" in fueki-archive(5).
package enum ColumnLimits {
  static let shapes = 4096
  static let tagsPerShape = 256
  static let fieldNumbers: ClosedRange<UInt32> = 1...(1 << 29) - 1

  /// The maximum length of a column form for this much plaintext.
  package static func formBytes(plaintextBytes: Int) -> Int { plaintextBytes + min(plaintextBytes, 65_536) }
}
