internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCrypto
internal import FuekiWallet
internal import SwiftProtobuf

/// Descriptors of key shares, as an archive may hold them: checked against each other.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  var shares: [KnownShare] = []
  // Each is a length of two bytes, and a message.
  var rest = input[...]
  while rest.count > 2, shares.count < 4 {
    let length = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
    guard let record = try? KeyShareDescriptor(serializedBytes: Array(rest.prefix(length))) else { break }
    // The work grows with the square of the points' number, and so does nothing but the time.
    guard record.points.count <= 8 else { break }
    shares.append(KnownShare(record, secret: .absent))
    rest = rest.dropFirst(length)
  }
  for grouping in [ShareCheck.Grouping.oneSet, .byWallet] {
    guard let report = try? ShareCheck.run(shares, grouping: grouping) else {
      preconditionFailure("a check of shares failed for what they are")
    }
    _ = report.manifestLines
  }
  return 0
}
