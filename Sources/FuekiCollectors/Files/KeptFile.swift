internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// The description of another program's file that is kept byte for byte.
struct KeptFile {
  /// The collector's kind.
  let source: String
  let format: String
  /// The file's program; nil to derive it from the place.
  var program: String?
  /// The hazards of the file.
  var hazards: [String] = []
  var address = ""
  var kdf = ""

  /// Keeps a file without unencrypted secrets.
  ///
  /// - Returns: the kept file, for reports about it.
  @discardableResult
  func keep(_ content: [UInt8], of found: borrowing FoundFile, in records: inout ImportedRecords)
    -> FileRecords
  {
    let file = FileRecords(
      source: source, path: found.name, content: content, format: format, address: address, kdf: kdf,
      status: found.status, origin: found.origin(program: program), hazards: hazards)
    records.files += file.parts
    return file
  }

  /// Keeps a file with unencrypted secrets.
  func keep(
    secret content: borrowing SecretBytes, of found: borrowing FoundFile, in records: inout ImportedRecords
  ) throws {
    records.secretFiles += try GuardedFile.parts(
      content, source: source, path: found.name, format: format, status: found.status,
      origin: found.origin(program: program), hazards: hazards)
  }
}

extension ImportedRecords {
  /// Keeps a file without secrets that is too long to hold in memory: it is read when the archive is written.
  mutating func keepUnread(
    _ found: borrowing FoundFile, _ taken: TakenFile = TakenFile(copy: nil), format: String, source: String,
    from collector: String,
    _ request: CollectionRequest
  ) throws {
    guard leaves(found.nameText, in: .files, request) else { return }
    let nature = FileNature(isSecret: false, format: format)
    try stream(found, taken, nature, source: source, from: collector, request)
  }

  /// Whether a file is included in the archive.
  ///
  /// If not, the report has the reason.
  ///
  /// - Parameters:
  ///   - name: the file's name in the report.
  ///   - section: its section; secret files are included only on request.
  ///   - request: the requested sections, and whether secrets are included.
  ///   - holding: "holds", or "may hold" if the file is not proven to have secrets.
  /// - Returns: true if it is included.
  mutating func leaves(
    _ name: String, in section: Section, _ request: CollectionRequest, _ holding: String = "may hold"
  ) -> Bool {
    guard request.selection.contains(section) else {
      exclude(name, "\(section.name) are not requested", loss: .requested)
      return false
    }
    guard section != .secretFiles || request.includesPrivateKeys else {
      exclude(
        name, "the file \(holding) secrets in the clear, and leaves \(request.condition)",
        loss: request.secretsAreUnwanted ? .requested : .possible)
      return false
    }
    return true
  }

  /// Whether no file was kept.
  var keepsNothing: Bool { files.isEmpty && secretFiles.isEmpty && streams.isEmpty }
}

extension File {
  /// Returns up to `count` first bytes.
  borrowing func beginning(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = (try? pread(into: &bytes, at: 0)) ?? 0
    return Array(bytes.prefix(read))
  }
}

extension FoundFile {
  /// The file's name for people.
  var nameText: String { FileName.text(name) }

  /// Returns up to `count` first bytes.
  func beginning(_ count: Int) -> [UInt8] { file.beginning(count) }

  /// Whether the first visible character starts a JSON object.
  var beginsAsObject: Bool {
    beginning(64).first { ![0x20, 0x09, 0x0a, 0x0d, 0xEF, 0xBB, 0xBF].contains($0) } == UInt8(ascii: "{")
  }
}
