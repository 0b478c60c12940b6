internal import FuekiWallet

/// The texts of addresses with a checksum that were met last.
///
/// Finding a checksum takes longer than writing the rest of a transaction, and a wallet's own address is in
/// each.
struct KnownAddresses {
  private struct Entry {
    let address: InlineArray<20, UInt8>
    let text: [UInt8]
  }

  /// One place for each last byte.
  private var entries: [Entry?] = []

  /// Appends the text of an address of 20 bytes.
  mutating func append(_ address: Span<UInt8>, to bytes: inout [UInt8]) {
    if entries.isEmpty { entries = Array(repeating: nil, count: 256) }
    let place = Int(address[19])
    if let known = entries[place], Self.areEqual(known.address, address) {
      return bytes.append(contentsOf: known.text)
    }
    let text = PackedText.rebuilt(address, .checksummedAddress)
    entries[place] = Entry(address: InlineArray { address[$0] }, text: text)
    bytes.append(contentsOf: text)
  }

  private static func areEqual(_ a: InlineArray<20, UInt8>, _ b: Span<UInt8>) -> Bool {
    for i in a.indices where a[i] != b[i] { return false }
    return true
  }
}
