internal import FuekiBackup
internal import FuekiWallet
internal import SwiftProtobuf

extension FuzzTarget {
  /// Descriptors of key shares, as in an archive, checked against each other.
  static let shares = FuzzTarget("shares") { bytes in
    var shares: [KnownShare] = []
    // Each is a two-byte length and a message.
    var rest = bytes[...]
    while rest.count > 2, shares.count < 4 {
      let length = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
      guard let record = try? KeyShareDescriptor(serializedBytes: Array(rest.prefix(length))) else { break }
      // More points only add time, which grows with the square of their number.
      guard record.points.count <= 8 else { break }
      shares.append(KnownShare(record, secret: .absent))
      rest = rest.dropFirst(length)
    }
    for grouping in [ShareCheck.Grouping.oneSet, .byWallet] {
      _ = try ShareCheck.run(shares, grouping: grouping).manifestLines
    }
  }
}
