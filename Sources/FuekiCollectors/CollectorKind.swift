/// A kind of foreign source, as `create --from kind:PATH` and `import --format kind` name it.
///
/// This is the one table: a new collector is a file and a line here.
public struct CollectorKind: Sendable {
  /// The name that people type.
  public let name: String
  /// What it reads, in a few words for a help text.
  public let summary: String
  /// Whether a path may be a folder.
  public let takesFolders: Bool
  /// Whether the beginning of a file looks like one of this kind.
  let recognises: @Sendable (_ beginning: Span<UInt8>) -> Bool
  private let make: @Sendable (_ path: String) -> any ForeignSource

  /// All kinds; `store` is not among them, because it is no foreign source.
  public static let all: [CollectorKind] = [
    CollectorKind(
      "keystore", "Web3 Secret Storage files (geth and others)", folders: true,
      recognises: {
        $0.contains("\"ciphertext\"") && $0.contains("\"kdfparams\"") && !$0.contains("\"wallets\"")
      },
      make: { KeystoreCollector(path: $0) }),
    CollectorKind(
      "tss-lib", "key share files of bnb-chain/tss-lib", folders: true,
      recognises: { $0.contains("\"ShareID\"") || $0.contains("\"Xi\"") },
      make: { TssLibCollector(path: $0) }),
    CollectorKind(
      "fueki-app", "a JSON bundle of the Fueki app", folders: false,
      recognises: {
        $0.contains("\"transactionHistory\"") || $0.contains("\"encryptedKeyShares\"")
          || $0.contains("\"addressBook\"")
      },
      make: { FuekiAppCollector(path: $0) }),
  ]

  private init(
    _ name: String, _ summary: String, folders: Bool,
    recognises: @escaping @Sendable (_ beginning: Span<UInt8>) -> Bool,
    make: @escaping @Sendable (_ path: String) -> any ForeignSource
  ) {
    self.name = name
    self.summary = summary
    takesFolders = folders
    self.recognises = recognises
    self.make = make
  }

  /// Finds the kind that people know by a name.
  public init(named name: String) throws(CollectorKindError) {
    guard let kind = Self.all.first(where: { $0.name == name }) else {
      throw .unknownKind(name: name, known: Self.all.map(\.name))
    }
    self = kind
  }

  /// The source at a path; nothing is opened yet.
  public func source(at path: String) -> any ForeignSource { make(path) }

  /// The source that `kind:PATH` names; nothing is opened yet.
  public static func source(_ text: String) throws(CollectorKindError) -> any ForeignSource {
    guard let colon = text.firstIndex(of: ":"), text.index(after: colon) < text.endIndex else {
      throw .noPath(text: text)
    }
    let path = String(text[text.index(after: colon)...])
    return try CollectorKind(named: String(text[..<colon])).source(at: path)
  }
}

/// Why a text names no foreign source.
public enum CollectorKindError: Error, Equatable, Sendable {
  /// There is no collector of this kind.
  case unknownKind(name: String, known: [String])
  /// The text is not `kind:PATH`.
  case noPath(text: String)

  /// One sentence for people.
  public var sentence: String {
    switch self {
    case .unknownKind(let name, let known):
      "there is no source of kind \"\(name)\"; known are \(known.joined(separator: ", "))"
    case .noPath(let text): "\"\(text)\" is not KIND:PATH"
    }
  }
}
