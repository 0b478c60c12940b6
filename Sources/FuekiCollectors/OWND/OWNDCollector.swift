public import FuekiBackup
package import FuekiCrypto
internal import FuekiWallet

/// A backup of the OWND wallet: a ZIP file with one entry, `backup.txt`.
///
/// It holds the seed, and what was shown to whom; credentials are not in it.
public struct OWNDCollector: ForeignSource {
  static let byteCountLimit = 64 << 20
  static let kind = "ownd"
  static let entryName = Array("backup.txt".utf8)

  private let path: String

  /// The file that a person named.
  public init(path: String) { self.path = path }

  /// The source as reports name it.
  public var name: String { "\(Self.kind):\(path)" }

  /// Reads the backup.
  ///
  /// - Throws: ``ForeignFileError``, or what the system refuses.
  public func read(_ request: CollectionRequest) throws -> ImportedRecords {
    let bytes = try GuardedFile.bytes(at: path, limit: Self.byteCountLimit)
    var records = try Self.records(bytes)
    records.keepOnly(request)
    return records
  }

  /// Reads a whole file.
  ///
  /// - Throws: ``ForeignFileError``, or what making a ``SecretBytes`` throws.
  package static func records(_ bytes: borrowing SecretBytes) throws -> ImportedRecords {
    let content: SecretBytes
    do {
      content = try bytes.withBytes { bytes in
        let archive = try ZIPArchive(bytes)
        let wanted = archive.entries.filter { $0.name == entryName }
        guard wanted.count == 1 else {
          throw ForeignFileError.notThisFormat(
            reason: wanted.isEmpty
              ? "no backup.txt is in the ZIP file" : "backup.txt is in the ZIP file twice")
        }
        return try ZIPArchive.content(of: wanted[0], in: bytes, limit: byteCountLimit)
      }
    } catch let error as ZIPError {
      throw error == .overLimit
        ? ForeignFileError.overLimit(reason: error.sentence) : .notThisFormat(reason: error.sentence)
    }
    let document: GuardedDocument
    do throws(JSONError) {
      document = try GuardedDocument(content, limit: byteCountLimit)
    } catch {
      throw ForeignFileError.notThisFormat(reason: "in backup.txt \(error.sentence)")
    }
    return try OWNDRecords.records(document.root)
  }
}
