internal import FoundationEssentials
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// The description of another program's file that is kept byte for byte.
struct KeptFile {
  /// The collector's kind.
  let source: String
  /// The source's name in reports.
  let collector: String
  /// Whether it may have unencrypted secrets.
  var isSecret: Bool
  var format = ""
  /// The file's program; nil to derive it from the place.
  var program: String?
  /// The hazards of the file.
  var hazards: [String] = []
  var (address, kdf) = ("", "")

  init(_ kept: Kept, kind: String, collector: String) {
    (source, self.collector, isSecret, format) = (kind, collector, kept.isSecret, kept.format)
    (program, hazards) = (kept.program, kept.hazards.map(\.rawValue))
    (address, kdf) = (kept.address, kept.kdf)
  }

  /// A file that is not read.
  init(kind: String, collector: String, isSecret: Bool, format: String = "") {
    (source, self.collector, self.isSecret, self.format) = (kind, collector, isSecret, format)
  }
}

extension ImportedRecords {
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
      leaveOut(section)
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

  /// Reports once that key share files are not included.
  mutating func noteUnkeptShareFiles(_ request: CollectionRequest) {
    guard unkeptShareFiles > 0 else { return }
    let files = unkeptShareFiles == 1 ? "1 file" : "\(unkeptShareFiles) files"
    exclude(
      files, "key shares in the clear: the shares are in, sealed, and the files leave \(request.condition)",
      loss: .none)
  }
}

/// A part of another program's file that is kept byte for byte, as a file.
struct FileRecords {
  /// Far below the limit of 16 MiB for records.
  static let partByteCount = 4 << 20

  /// The collector's kind.
  let source: String
  /// Its name.
  let path: [UInt8]
  let content: [UInt8]
  let format: String

  private var id: Data {
    var digest = FileID(of: source, path, isSecret: false)
    digest.add(content.span)
    return Data(digest.finish())
  }

  /// The file as consecutive records, at least one.
  var parts: [FilePart] {
    let id = id
    let starts = stride(from: 0, to: max(content.count, 1), by: Self.partByteCount)
    return starts.map { start in
      var part = FilePart()
      part.id = id
      part.source = source
      part.path = Data(path)
      part.offset = UInt64(start)
      part.total = UInt64(content.count)
      part.content = Data(content[start..<min(start + Self.partByteCount, content.count)])
      part.format = format
      return part
    }
  }
}

extension Extra {
  /// The hazards for putting a file back; nil if there are none.
  init?(hazards: [String]) {
    guard !hazards.isEmpty else { return nil }
    self.init("hazards", json: "[" + hazards.map(JSONText.quoted).joined(separator: ",") + "]")
  }
}

extension FileTime {
  /// Microseconds since 1970, rounded down; nil if out of range.
  var microseconds: Int64? {
    let (whole, tooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, overflow) = whole.addingReportingOverflow(nanoseconds / 1000)
    return tooLarge || overflow ? nil : sum
  }
}

/// How to back up a file: from a copy, or directly.
struct TakenFile {
  /// Nil if the file itself is consistent, or there is nothing better.
  let copy: CopiedFile?
  /// Whether it is a damaged database.
  var isDamaged = false
  /// Whether files next to it belong to it.
  ///
  /// A copy includes their changes, while the file itself lacks them.
  var hasParts: Bool { copy == nil }
}

/// The id of a file: the first 16 bytes of a digest of its class, kind, path and content.
///
/// Equal files always have the same id and different ones never do, so a restore next to an older copy keeps both.
struct FileID: ~Copyable {
  private var digest = SHA256()

  /// Begins the id of a kind's file with a name relative to the source's directory.
  init(of kind: String, _ name: [UInt8], isSecret: Bool) {
    let mark = isSecret ? "fueki/1 secret file" : "fueki/1 file"
    digest.update(Array("\(mark)\0\(kind)\0".utf8) + name + [0])
  }

  mutating func add(_ content: Span<UInt8>) { digest.update(content) }

  consuming func finish() -> [UInt8] { Array(digest.finalize().bytes.prefix(16)) }
}
