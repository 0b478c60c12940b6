internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet

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
