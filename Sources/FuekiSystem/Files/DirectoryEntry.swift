/// An entry of a directory.
public struct DirectoryEntry: Sendable, Hashable {
  /// The name's bytes, which are not necessarily UTF-8.
  public let name: [UInt8]
  /// The kind of entry.
  ///
  /// A symbolic link is not followed.
  public let kind: FileKind
  /// The name for people and for comparisons; nil if it is not UTF-8.
  public var text: String? { String(validating: name, as: UTF8.self) }
}
