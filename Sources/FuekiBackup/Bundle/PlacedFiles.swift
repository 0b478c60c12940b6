internal import FuekiWallet
internal import Synchronization

/// Counts the files of other programs that can go back below a home, while their records go into an archive.
///
/// A file's place stands in its first part. Files of one place are one: only the newest goes back.
final class PlacedFiles: Sendable {
  private static let placeField: UInt32 = 16
  private static let home = Array("~/".utf8)

  private let places = Mutex<Set<[UInt8]>>([])

  /// How many there are so far.
  var count: UInt64 { places.withLock { UInt64($0.count) } }

  /// Notes the places in framed records of files; what is no such record is passed over.
  func note(_ records: Span<UInt8>) {
    var found: [[UInt8]] = []
    try? RecordFraming.forEachRecord(in: records) { (message) throws(WireError) in
      var reader = WireReader()
      while let field = try reader.next(in: message) {
        guard field.number == Self.placeField else { continue }
        let place = try field.bytes(in: message)
        if place.starts(with: Self.home) { found.append(place) }
      }
    }
    guard !found.isEmpty else { return }
    places.withLock { $0.formUnion(found) }
  }
}
