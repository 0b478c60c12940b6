internal import FoundationEssentials
package import FuekiWallet

/// An OWND wallet's file of credentials or a history, in Protocol Buffers without a signature.
///
/// On Android, `credential_sharing_history.pb` and `id_token_sharing_history.pb` are lists: a message with
/// the records in its field 1. On iOS, records are separate. `credential_data.pb` is a list too, encrypted by
/// the phone.
package struct OWNDStore {
  /// The kind of a file's records.
  package enum Kind: Equatable, Sendable {
    case credential
    case credentialSharing
    case idTokenSharing
  }

  /// The names of the files.
  ///
  /// One file is only recognisable by its name.
  static let fileNames: Set<String> = [
    "credential_data.pb", "credential_sharing_history.pb", "id_token_sharing_history.pb",
  ]

  private static let recordLimit = 1 << 18
  /// The length of an AES-GCM nonce, the first byte of an encrypted file and never that of a message.
  private static let nonceByteCount: UInt8 = 12

  package private(set) var records = ImportedRecords()
  private var credentials: [Data: Credential] = [:]
  private var histories: Set<Data> = []

  /// Parses a complete file.
  package init(_ bytes: Span<UInt8>) throws(OWNDStoreError) {
    guard bytes.count > 0 else { throw .empty }
    guard bytes[0] != Self.nonceByteCount else { throw .encrypted }
    records.budget.read(bytes.count)
    let (messages, isList) = try Self.messages(in: bytes)
    guard messages.count <= Self.recordLimit else { throw .overLimit(Self.recordLimit) }
    var items: [OWNDItem] = []
    for (index, range) in messages.enumerated() {
      items.append(try OWNDItem(bytes.extracting(range), number: index + 1))
    }
    let kind = try Self.kind(of: items)
    let layout = OWNDLayout(items, messages, in: bytes, isList: isList)
    for (item, range) in zip(items, messages) {
      let message = bytes.extracting(range)
      switch kind {
      case .credential: try add(item.credential(in: message))
      case .credentialSharing:
        let sharing = try item.sharing(layout, in: message)
        if histories.insert(sharing.id).inserted, records.admits(sharing) {
          records.credentialSharing.append(sharing)
        }
      case .idTokenSharing:
        let sharing = try item.idToken(layout, in: message)
        if histories.insert(sharing.id).inserted, records.admits(sharing) {
          records.idTokenSharing.append(sharing)
        }
      }
    }
    guard !records.budget.isSpent else { throw .tooMuch }
    if let doubt = layout.doubt, let first = records.credentialSharing.first {
      records.note(doubt, .credentialSharing, first.id)
    }
  }

  /// Whether a file's first bytes look like one.
  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    var reader = WireReader()
    guard let first = try? reader.next(in: beginning), first.number == 1,
      case .content(let range) = first.value
    else { return false }
    // The first record of a list, or a single message, with several fields: unlikely to occur by chance.
    let inner = try? OWNDItem(beginning.extracting(range), number: 1)
    if let inner, inner.kind != nil, inner.fields.count > 1 { return true }
    let whole = try? OWNDItem(beginning, number: 1)
    return whole.map { $0.kind != nil && $0.fields.count > 2 } ?? false
  }

  /// Returns the ranges of the records: one for a single record.
  private static func messages(
    in bytes: Span<UInt8>
  ) throws(OWNDStoreError) -> (ranges: [Range<Int>], isList: Bool) {
    var reader = WireReader()
    var ranges: [Range<Int>] = []
    do throws(WireError) {
      while let field = try reader.next(in: bytes) {
        guard field.number == 1, case .content(let range) = field.value else {
          return ([0..<bytes.count], false)
        }
        ranges.append(range)
      }
    } catch {
      throw .malformed(error, record: ranges.count + 1)
    }
    return (ranges, true)
  }

  private static func kind(of items: [OWNDItem]) throws(OWNDStoreError) -> Kind {
    var found = Kind.idTokenSharing
    for item in items {
      guard let kind = item.kind else { throw .unrecognised(record: item.number) }
      if item.number > 1, (kind == .credential) != (found == .credential) {
        throw .mixed(record: item.number)
      }
      // An entry of one history may lack every field that distinguishes it from the other.
      if kind != .idTokenSharing { found = kind }
    }
    return found
  }

  private mutating func add(_ credential: Credential) {
    let known = credentials.updateValue(credential, forKey: credential.id)
    if let known, known != credential {
      credentials[credential.id] = known
      records.exclude(
        PackedText.text(credential.id) ?? "a credential", "another credential has its id", loss: .possible)
    }
    if known == nil, records.admits(credential) { records.credentials.append(credential) }
  }
}

/// Why bytes are not one of the OWND wallet's files of credentials and histories.
package enum OWNDStoreError: Error, Equatable, Sendable {
  /// It is empty.
  case empty
  /// It is encrypted with a key on the phone.
  case encrypted
  /// A record, counted from 1, violates Protocol Buffers or the wallet's schema.
  case malformed(WireError, record: Int)
  /// A record's kind cannot be determined.
  case unrecognised(record: Int)
  /// A record's kind differs from the first one's.
  case mixed(record: Int)
  /// A credential has no content.
  case noContent(record: Int)
  /// There are more records than in any wallet.
  case overLimit(Int)
  /// A record has more fields than any should.
  case tooManyFields(record: Int)
  /// Its records would far exceed its size.
  case tooMuch

  /// A sentence for people, after the file's name.
  package var sentence: String {
    switch self {
    case .empty: "it is empty"
    case .encrypted:
      "it is encrypted with a key that stays in the phone: it cannot be opened elsewhere, and the wallet's export "
        + "has no credentials either. Have them issued again"
    case .malformed(let error, let record): "record \(record): \(error.sentence)"
    case .unrecognised(let record):
      "record \(record) is neither a credential of the OWND wallet nor a line of its histories"
    case .mixed(let record): "record \(record) is of another kind than those before it"
    case .noContent(let record): "record \(record): the credential itself is missing"
    case .tooManyFields(let record): "record \(record) has more fields than any record of the OWND wallet"
    case .tooMuch: "it would become far more than it is: larger records than a wallet's file has"
    case .overLimit(let count): "it has more than \(count) records, which no wallet has"
    }
  }

  /// The error as reported by `import`.
  func asForeign(_ file: String) -> ForeignFileError {
    switch self {
    case .overLimit, .tooManyFields, .tooMuch: .overLimit(reason: "\(file): \(sentence)")
    case .empty, .encrypted, .malformed, .unrecognised, .mixed, .noContent:
      .notThisFormat(reason: "\(file): \(sentence)")
    }
  }
}

extension WireError {
  /// The fault, for people.
  fileprivate var sentence: String {
    switch self {
    case .truncated: "it ends too early"
    case .varintNotMinimal: "a number has more bytes than it needs"
    case .invalidTag: "a field of a kind that does not exist"
    case .wrongType(let field): "field \(field) is of another type than the OWND wallet writes"
    case .repeated(let field): "field \(field) is there twice"
    case .invalidValue(let field): "field \(field) has a value that it cannot have"
    }
  }
}
