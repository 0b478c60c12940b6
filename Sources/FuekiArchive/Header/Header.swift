internal import FuekiCrypto

/// The decoded header: facts, slots and confirmations, with the bytes covered by the transcript.
package struct Header: Equatable {
  let minor: UInt16
  let facts: HeaderFacts
  let slots: [Slot]
  let confirmations: [UInt8]
  let transcript: Digest
  let unknownFields: [UInt16]

  func confirmation(of scope: ArchiveScope) -> [UInt8] {
    let start = (Int(scope.rawValue) - 1) * 32
    return Array(confirmations[start..<start + 32])
  }
}
