internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Collects wallets of Sparrow: its databases, and the earlier JSON files.
///
/// They are kept byte for byte without being decrypted: only their beginnings are checked. Sparrow's exports
/// are more useful to other programs.
enum SparrowCollector {
  static let kind = "sparrow"

  /// A file's form, by its first bytes.
  enum Form {
    /// An encrypted database.
    case encryptedDatabase
    /// An unencrypted database.
    case database
    /// Encrypted JSON.
    case encryptedText
    /// Unencrypted JSON.
    case text

    init?(_ beginning: Span<UInt8>) {
      func begins(_ text: StaticString, at place: Int = 0) -> Bool {
        let wanted = Array("\(text)".utf8)
        return beginning.count >= place + wanted.count
          && wanted.indices.allSatisfy { beginning[place + $0] == wanted[$0] }
      }
      // H2's mark and salt, then Sparrow's mark and salt.
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
  /// The length of mark, salt, and the smallest ECIES message in Base64.
  private static let leastTextByteCount: UInt64 = 28 + 112

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let bytes = found.beginning(64 << 10)
    guard let form = Form(bytes.span) else { return .other(reason: "it is no wallet of Sparrow") }
    var kept = Kept(
      format: "sparrow-wallet", isSecret: form != .encryptedDatabase && form != .encryptedText,
      asked.finding(FileName.text(found.lastName), try result(form, bytes, found)))
    kept.program = kind
    return .wallet(kept)
  }

  private static func result(
    _ form: Form, _ bytes: [UInt8], _ found: borrowing FoundFile
  ) throws -> WalletFinding.Result {
    switch form {
    case .encryptedDatabase:
      guard bytes.dropFirst(18).starts(with: Array("SPRW1\n".utf8)) else { return .notProved(.notRead) }
      return found.byteCount % pageByteCount == 0 && found.byteCount > pageByteCount
        ? .notProved(.notRead) : .faulty(.length)
    case .database:
      // Two headers of a page each, and at least one chunk.
      return found.byteCount % pageByteCount == 0 && found.byteCount > 2 * pageByteCount
        ? .notProved(.notRead) : .faulty(.length)
    case .encryptedText: return found.byteCount < leastTextByteCount ? .faulty(.length) : .notProved(.notRead)
    case .text:
      guard found.byteCount <= UInt64(ImportLimits.walletByteCount) else { return .faulty(.malformed) }
      let content = try found.bytes()
      let count = content.count
      guard (try? GuardedDocument(content, limit: count)) != nil else { return .faulty(.malformed) }
      return .notProved(.notRead)
    }
  }
}

extension CollectorKind {
  /// Wallets of Sparrow.
  static let sparrow = CollectorKind(
    SparrowCollector.kind, "wallets of Sparrow, encrypted or not, as files", reach: .tree, guide: .sparrow,
    programs: [
      WalletProgram(
        id: "sparrow", title: "Sparrow", folders: [".sparrow"], flatpaks: ["com.sparrowwallet.Sparrow"],
        places: [
          .folder(".sparrow/wallets", of: ["*"], kind: SparrowCollector.kind, .sparrow, [.closeFirst]),
          .folder(".sparrow/*/wallets", of: ["*"], kind: SparrowCollector.kind, .sparrow, [.closeFirst]),
        ])
    ],
    fileNames: WalletNames(certain: ["*.mv.db"]), limit: .max, what: "wallet of Sparrow",
    recognises: { SparrowCollector.Form($0) != nil }, look: SparrowCollector.look)
}
