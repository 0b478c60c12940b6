internal import FuekiArchive
internal import FuekiWallet
internal import SwiftProtobuf

extension FuzzTarget {
  /// The manifest's record, parsed by hand and as a message.
  static let manifest = FuzzTarget("manifest") { bytes in
    guard let (digests, body) = ManifestRecord.decode(bytes) else { return }
    precondition(digests.count == 3 && digests.allSatisfy { $0.count == 32 }, "a digest has another length")
    _ = try Manifest(serializedBytes: body)
  }
}
