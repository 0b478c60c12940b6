internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// The one file that a source reads, at the path that a person gave.
///
/// What cannot be such a file is refused before it is read, and what is said of its content names it.
struct SourceFile {
  /// What the file is, where it is kept as it is.
  struct Original {
    /// The collector's kind.
    let kind: String
    let format: String
    /// Whose file it is; nil where only its place can tell.
    let program: String?
  }

  let path: String
  /// A longer file is none of this source's.
  let byteCountLimit: Int

  /// The file's name for people.
  var name: String { FileName.text(path.pathBytes) }

  /// Reads a file that is no secret, and keeps of it what is asked for: the file itself, and what is read out of it.
  ///
  /// - Throws: ``ForeignFileError``, or what the system or the parser refuses.
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

  /// What is said of a file that only its wallet's password opens, and that is kept without it.
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

  /// Does what reads the file's content, and names the file where that fails.
  private func naming<Answer>(_ body: () throws -> Answer) throws -> Answer {
    do {
      return try body()
    } catch let error as ForeignFileError {
      throw error.naming(name)
    }
  }

  /// Opens the file if it is a regular one: a pipe without a writer would block the run for ever.
  private func open() throws -> File {
    do {
      return try File.openRegular(path)
    } catch {
      guard error.code == Self.isFolder else { throw error }
      throw ForeignFileError.notThisFormat(reason: "\(name) is a folder: name the file in it")
    }
  }

  private static let isFolder: Int32 = 21

  /// How long the file is.
  private func byteCount(_ file: borrowing File) throws -> Int {
    try Self.byteCount(file.status(), name, limit: byteCountLimit)
  }

  /// How long a file is that somebody named.
  ///
  /// - Throws: ``ForeignFileError`` where it is empty or too long.
  static func byteCount(_ status: FileStatus, _ name: String, limit: Int) throws(ForeignFileError) -> Int {
    guard status.size > 0 else { throw .notThisFormat(reason: "\(name) is empty") }
    guard let count = Int(exactly: status.size), count <= limit else {
      throw .overLimit(reason: "\(name) has \(status.size) bytes, and no such file has more than \(limit)")
    }
    return count
  }
}

extension ForeignFileError {
  /// The error with the file's name before its sentence, where that does not have it yet.
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
