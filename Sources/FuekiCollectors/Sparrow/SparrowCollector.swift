public import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Wallets of Sparrow: its databases, and the JSON of before.
///
/// They are kept byte for byte and not opened: only their beginnings are looked at. What they are worth to somebody else
/// than Sparrow is in its exports.
public struct SparrowCollector: ForeignSource {
  static let kind = "sparrow"

  private let path: String
  private let copying: FileCopying?

  /// The file or folder that a person named, and what copies a file that its program may be writing.
  public init(path: String, copying: FileCopying?) {
    self.path = path
    self.copying = copying
  }

  /// The source as reports name it.
  public var name: String { "\(Self.kind):\(path)" }

  /// Looks at the files, each of which is read part by part when it is written.
  ///
  /// - Throws: ``ForeignFileError``, or what the system refuses.
  public func read(_ request: CollectionRequest) throws -> ImportedRecords {
    try files.read(request) { found, whole, records in try Self.look(found, whole, &records) }
  }

  private var files: KeptFiles {
    KeptFiles(path: path, kind: Self.kind, copying: copying) { beginning, _ in Form(beginning) != nil }
  }

  /// What a file's beginning says that it is.
  enum Form {
    /// A database that is encrypted.
    case encryptedDatabase
    /// A database in the clear.
    case database
    /// JSON, encrypted.
    case encryptedText
    /// JSON in the clear.
    case text

    init?(_ beginning: Span<UInt8>) {
      func begins(_ text: StaticString, at place: Int = 0) -> Bool {
        let wanted = Array("\(text)".utf8)
        return beginning.count >= place + wanted.count
          && wanted.indices.allSatisfy { beginning[place + $0] == wanted[$0] }
      }
      // H2's mark, its salt, then Sparrow's mark and salt.
      if begins("H2encrypt\n") {
        self = .encryptedDatabase
      } else if begins("H:2,") {
        self = .database
      } else if begins("U1BSVz") {
        self = .encryptedText
      } else if beginning.contains("\"policyType\"") && beginning.contains("\"keystores\"") {
        self = .text
      } else {
        return nil
      }
    }
  }

  private static let pageByteCount: UInt64 = 4096
  /// Mark, salt, and what the smallest message of ECIES has, in Base64.
  private static let leastTextByteCount: UInt64 = 28 + 112

  private static func look(
    _ found: borrowing FoundFile, _ whole: CopiedFile, _ records: inout ImportedRecords
  ) throws -> KeptFiles.Keeping? {
    let name = FileName.text(found.name.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? [])
    let bytes = try whole.file.readExactly(Int(clamping: min(whole.byteCount, 64 << 10)), at: 0)
    let form = Form(bytes.span)
    let isSecret = form != .encryptedDatabase && form != .encryptedText
    records.findings.append(
      WalletFinding(kind: kind, name: name, try result(form, bytes, whole), isInClear: isSecret))
    return KeptFiles.Keeping(
      isSecret: isSecret, format: form == nil ? "" : "sparrow-wallet", program: form == nil ? nil : kind)
  }

  private static func result(
    _ form: Form?, _ bytes: [UInt8], _ whole: CopiedFile
  ) throws -> WalletFinding.Result {
    switch form {
    case nil: return .faulty(.malformed)
    case .encryptedDatabase:
      guard bytes.dropFirst(18).starts(with: Array("SPRW1\n".utf8)) else { return .notProved(.notRead) }
      return whole.byteCount % pageByteCount == 0 && whole.byteCount > pageByteCount
        ? .notProved(.notRead) : .faulty(.length)
    case .database:
      // Two headers of a page each, and at least one chunk.
      return whole.byteCount % pageByteCount == 0 && whole.byteCount > 2 * pageByteCount
        ? .notProved(.notRead) : .faulty(.length)
    case .encryptedText: return whole.byteCount < leastTextByteCount ? .faulty(.length) : .notProved(.notRead)
    case .text:
      guard let content = try whole.bytes(limit: ImportLimits.walletByteCount),
        (try? GuardedDocument(content, limit: ImportLimits.walletByteCount)) != nil
      else { return .faulty(.malformed) }
      return .notProved(.notRead)
    }
  }
}

extension CollectorKind {
  /// Wallets of Sparrow.
  static let sparrow = CollectorKind(
    SparrowCollector.kind, "wallets of Sparrow, encrypted or not, as files", reach: .tree,
    recognises: { SparrowCollector.Form($0) != nil },
    make: { path, _, copying in SparrowCollector(path: path, copying: copying) })
}
