internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// A file to be kept byte for byte, and its recognised format.
struct FileRecords {
  /// Far below the limit of 16 MiB for records.
  static let partByteCount = 4 << 20

  /// The collector's kind.
  let source: String
  /// The name relative to the source's directory.
  let path: [UInt8]
  let content: [UInt8]
  let format: String
  var address = ""
  var kdf = ""
  var status: FileStatus?
  /// Nil for a part of another file.
  var origin: FileOrigin?
  /// The hazards of the file, named as in ``Wallet/hazards``.
  var hazards: [String] = []

  /// The first 16 bytes of a digest of kind, path and content.
  ///
  /// Equal files always have the same id and different ones never do, so a restore next to an older copy
  /// keeps both.
  var id: Data {
    let header = "fueki/1 file\0\(source)\0".utf8 + path + [0]
    return Data(SHA256.hash([UInt8](header), content).bytes.prefix(16))
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
      if let status {
        part.mode = UInt32(status.permissions)
        if let time = status.modificationTime.microseconds { part.modifiedAt = time }
      }
      part.format = format
      part.address = PackedText.pack(address)
      part.kdf = kdf
      if start == 0 {
        origin?.note(in: &part)
        if let extra = Extra(hazards: hazards) { part.extra.append(extra) }
      }
      return part
    }
  }

  /// Returns a problem of the file, which is still kept.
  func problem(_ text: String) -> RecordProblem {
    var problem = RecordProblem()
    problem.section = UInt32(Section.files.rawValue)
    problem.id = id
    problem.problem = "\(FileName.text(path)): \(text)"
    return problem
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
