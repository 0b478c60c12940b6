import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import Glibc
import TestSupport

/// Files of other wallets, made by scripts in Tests/Foreign.
enum ForeignFiles {
  static let passphrase = "pässword 1"
  private static let python = "/usr/bin/python3"

  /// Encrypted backups of the Fueki app, and OWND's; nil where the script cannot run.
  static let own: GeneratedFolder? = made(by: "foreign_files.py")
  /// The OWND wallet's own files; nil where the script cannot run.
  static let ownd: GeneratedFolder? = made(by: "ownd_store_files.py")
  /// Wallets of Electrum; nil where that is not installed.
  static let electrum: GeneratedFolder? = made(by: "electrum_files.py")

  /// Wallets of Bitcoin Core; nil where the script cannot run.
  static let core: GeneratedFolder? = made(by: "core_wallet_files.py")

  static let ownReason = "python3-cryptography is not here"
  static let owndReason = "python3-protobuf is not here"
  static let electrumReason = "python3-electrum is not here"

  private static func made(by script: String) -> GeneratedFolder? {
    guard let folder = try? GeneratedFolder(script) else { return nil }
    let run = try? BuiltBinary.run(
      program: python, ["\(Repository.path)/Tests/Foreign/\(script)", folder.path],
      environment: ["HOME": folder.path])
    return run?.status == 0 ? folder : nil
  }

  /// A place to ask that knows the answer.
  static func asking(_ text: String = passphrase) -> SourcePassphrase {
    SourcePassphrase { SharedSecret(try SecretBytes(copying: Array(text.utf8).span)) }
  }
}

extension ImportedRecords {
  /// The same, with all of the files that are otherwise read part by part when they are written.
  func holdingFiles() throws -> ImportedRecords {
    var all = self
    (all.files, all.secretFiles) = ([], [])
    try forEachRecord(besides: .manifest) { record in
      if let part = record as? FilePart { all.files.append(part) }
    }
    try forEachSecretFileRecord { message in
      all.secretFiles.append(
        try message.withBytes { (bytes) throws(SecretRecordError) in try SecretFilePart(decoding: bytes) })
    }
    return all
  }

  /// The kinds of the secrets, and their texts.
  var secretTexts: [String: String] {
    Dictionary(
      privateKeys.map { key in
        (
          key.kind,
          key.secret.bytes.withBytes { bytes in
            String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
          }
        )
      }
    ) { "\($0), \($1)" }
  }
}

extension SecretBytes {
  /// A secret of a text that is none.
  static func of(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8).span) }

  /// The text of a secret that is none.
  borrowing func text() -> String {
    withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
  }
}

/// A folder that a script filled; removed when the tests end.
struct GeneratedFolder {
  private static let root =
    "\(Environment.get("TMPDIR") ?? "/tmp")/fueki-foreign-\(getpid())-\(UInt64.random(in: .min ... .max))"

  let path: String

  init(_ script: String) throws {
    path = "\(Self.root)/\(script).files"
    try Directory.makePrivateDirectories(path)
    atexit { _ = try? BuiltBinary.run(program: "/bin/rm", ["-rf", GeneratedFolder.root]) }
  }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  func read(_ name: String) throws -> [UInt8] { try File.open(path(name)).readAll(limit: 2 << 20) }
}
