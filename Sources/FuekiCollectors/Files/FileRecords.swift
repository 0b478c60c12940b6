internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// A file to be kept byte for byte, and what was recognised in it.
struct FileRecords {
  /// Well below the 16 MiB that a record may have.
  static let partByteCount = 4 << 20

  /// The collector's kind.
  let source: String
  /// The name below the source's folder.
  let path: [UInt8]
  let content: [UInt8]
  let format: String
  var address = ""
  var kdf = ""
  var status: FileStatus?
  /// nil for what was part of another file.
  var origin: FileOrigin?
  /// What of it is dangerous when old or live twice, as ``Wallet/hazards`` names it.
  var hazards: [String] = []

  /// The first 16 bytes of a digest of kind, path and content.
  ///
  /// The same file has the same id each time, and what differs never has the id of something else: a restore
  /// beside an older copy keeps both.
  var id: Data {
    let header = "fueki/1 file\0\(source)\0".utf8 + path + [0]
    return Data(SHA256.hash([UInt8](header), content).bytes.prefix(16))
  }

  /// The file as records that follow one another by offset; at least one.
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

  /// Says what is wrong with the file, which is kept all the same.
  func problem(_ text: String) -> RecordProblem {
    var problem = RecordProblem()
    problem.section = UInt32(Section.files.rawValue)
    problem.id = id
    problem.problem = "\(FileName.text(path)): \(text)"
    return problem
  }
}

extension Extra {
  /// The dangers of a file, where putting it back has to know them; nil where there are none.
  init?(hazards: [String]) {
    guard !hazards.isEmpty else { return nil }
    self.init("hazards", json: "[" + hazards.map(JSONText.quoted).joined(separator: ",") + "]")
  }
}

extension FileTime {
  /// Microseconds since 1970, rounded down; nil for a time that does not fit.
  var microseconds: Int64? {
    let (whole, tooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, overflow) = whole.addingReportingOverflow(nanoseconds / 1000)
    return tooLarge || overflow ? nil : sum
  }
}

/// File names for people.
enum FileName {
  /// The name; bytes that are not text, and characters that would move the cursor, as `\xNN`.
  static func text(_ name: [UInt8]) -> String {
    if let text = String(validating: name, as: UTF8.self), !text.unicodeScalars.contains(where: isControl) {
      return text
    }
    return name.map { byte in
      0x20..<0x7F ~= byte ? String(Unicode.Scalar(byte)) : "\\x" + Hex.encode([byte])
    }.joined()
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
