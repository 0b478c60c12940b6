internal import FuekiBackup
internal import FuekiWallet
internal import SwiftProtobuf

extension FuzzTarget {
  /// Descriptors of key shares, as an archive may hold them: checked against each other.
  static let shares = FuzzTarget("shares") { bytes in
    var shares: [KnownShare] = []
    // Each is a length of two bytes, and a message.
    var rest = bytes[...]
    while rest.count > 2, shares.count < 4 {
      let length = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
      guard let record = try? KeyShareDescriptor(serializedBytes: Array(rest.prefix(length))) else { break }
      // The work grows with the square of the points' number, and so does nothing but the time.
      guard record.points.count <= 8 else { break }
      shares.append(KnownShare(record, secret: .absent))
      rest = rest.dropFirst(length)
    }
    for grouping in [ShareCheck.Grouping.oneSet, .byWallet] {
      _ = try ShareCheck.run(shares, grouping: grouping).manifestLines
    }
  }
}
