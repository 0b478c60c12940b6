import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport

/// Files of nodes, read as a backup reads them.
enum NodeFiles {
  static func read(
    _ kind: String, _ path: String, password: String? = nil, secrets: Bool = true
  ) throws -> ImportedRecords {
    var request = CollectionRequest.forBackup
    request.includesPrivateKeys = secrets
    return try CollectorKind(named: kind).source(
      at: path, passphrase: password.map { ForeignFiles.asking($0) }
    )
    .read(request).holdingFiles()
  }

  static func secretContent(_ records: ImportedRecords) -> [UInt8] {
    records.secretFiles.flatMap { part in
      part.content.bytes.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }
  }
}
