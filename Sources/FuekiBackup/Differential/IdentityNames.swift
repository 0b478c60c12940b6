/// Reads the identities of records by their place in a section of the table.
///
/// They take as many bytes as the keys, and few are ever read.
struct IdentityNames: Sendable {
  /// An identity of more bytes is not kept: where its record is removed, a full archive is made.
  static let mostBytes = 128

  /// The identities at ascending places of a section's keys; nil if one was not kept.
  let read: @Sendable (_ section: UInt16, _ places: [Int]) throws -> [[UInt8]]?
}
