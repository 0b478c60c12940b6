internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// The single file of a source, at the user's path.
///
/// An unsuitable file is refused before it is read, and errors about its content name it.
struct SourceFile {
  /// The description of the file if it is kept.
  struct Original {
    /// The collector's kind.
    let kind: String
    let format: String
    /// The file's program; nil to derive it from the place.
    let program: String?
  }

  let path: String
  /// The limit of the file's length.
  let byteCountLimit: Int

  /// The file's name for people.
  var name: String { FileName.text(path.pathBytes) }

  /// Reads a public file, and keeps the requested parts: the file itself, and its contents.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system or the parser.
  func records(
    _ request: CollectionRequest, as original: Original, _ parse: ([UInt8]) throws -> ImportedRecords
  ) throws -> ImportedRecords {
    let file = try open()
    _ = try byteCount(file)
    let status = try file.status()
    let bytes = try file.readAll(limit: byteCountLimit)
    var records = try naming {
      do {
        var records = try parse(bytes)
        if request.isForBackup, records.findings.isEmpty {
          var judge = RecordFindings(kind: original.kind)
          (judge.isOneFile, judge.isOpened) = (true, true)
          records.findings = try judge.all(of: records.wallets, keys: records.privateKeys)
        }
        return records
      } catch ForeignFileError.wrongPassphrase where request.isForBackup {
        return unopened(request, .wrongPassword)
      }
    }
    for place in records.findings.indices where records.findings[place].kind.isEmpty {
      records.findings[place].kind = original.kind
    }
    let kept = FileRecords(
      source: original.kind, path: PathParts(path).name.pathBytes, content: bytes, format: original.format,
      status: status, origin: FileOrigin(path: path.pathBytes, program: original.program))
    records.files += kept.parts
    records.keepOnly(request)
    return records
  }

  /// Returns the report on an encrypted file that is kept without its password.
  func unopened(_ request: CollectionRequest, _ gap: WalletFinding.Gap = .needsPassword) -> ImportedRecords {
    var records = ImportedRecords()
    records.findings = [WalletFinding(kind: "", name: name, .notProved(gap))]
    let isKept = request.selection.contains(.files)
    records.exclude(
      name,
      "\(gap == .wrongPassword ? "the given passphrase does not open it" : "it is encrypted"); \(isKept ? "the file is kept as it is" : "the file is left out"), and import reads it with its passphrase",
      loss: isKept ? .none : .requested)
    return records
  }

  /// Runs an operation on the file's content, and adds the file's name to its errors.
  private func naming<Answer>(_ body: () throws -> Answer) throws -> Answer {
    do {
      return try body()
    } catch let error as ForeignFileError {
      throw error.naming(name)
    }
  }

  /// Opens the file if it is regular: a pipe without a writer would block forever.
  private func open() throws -> File {
    do {
      return try File.openRegular(path)
    } catch {
      guard error.code == Self.isFolder else { throw error }
      throw ForeignFileError.notThisFormat(reason: "\(name) is a folder: name the file in it")
    }
  }

  private static let isFolder: Int32 = 21

  /// Returns the file's length.
  private func byteCount(_ file: borrowing File) throws -> Int {
    try Self.byteCount(file.status(), name, limit: byteCountLimit)
  }

  /// Returns the length of a file named by the user.
  ///
  /// - Throws: ``ForeignFileError`` if it is empty or too long.
  static func byteCount(_ status: FileStatus, _ name: String, limit: Int) throws(ForeignFileError) -> Int {
    guard status.size > 0 else { throw .notThisFormat(reason: "\(name) is empty") }
    guard let count = Int(exactly: status.size), count <= limit else {
      throw .overLimit(reason: "\(name) has \(status.size) bytes, and no such file has more than \(limit)")
    }
    return count
  }
}

extension ForeignFileError {
  /// Returns the error with the file's name before its sentence, unless it is already there.
  fileprivate func naming(_ file: String) -> ForeignFileError {
    func named(_ reason: String) -> String { reason.hasPrefix(file) ? reason : "\(file): \(reason)" }
    return switch self {
    case .notThisFormat(let reason): .notThisFormat(reason: named(reason))
    case .tooNew(let reason): .tooNew(reason: named(reason))
    case .overLimit(let reason): .overLimit(reason: named(reason))
    case .wrongPassphrase, .passphraseNeeded: self
    }
  }
}
