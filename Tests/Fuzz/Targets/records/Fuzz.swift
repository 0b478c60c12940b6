internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiWallet
internal import SwiftProtobuf

/// A section and a block of its records.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let first = input.first else { return 0 }
  let section = Section.allCases[Int(first) % Section.allCases.count]
  let bytes = Array(input.dropFirst())
  let span = bytes.span
  guard let messages = try? RecordBlock.cut(span, section: section.rawValue) else { return 0 }
  for message in messages { read(Array(bytes[message]), of: section) }
  return 0
}

private func read(_ message: [UInt8], of section: Section) {
  switch section {
  case .manifest: decode(message) { (record: Manifest) in _ = record.recordCounts }
  case .wallets: decode(message) { (record: Wallet) in _ = RecordValidation.problems(of: record) }
  case .assets: decode(message) { (record: Asset) in _ = RecordValidation.problems(of: record) }
  case .contacts: decode(message) { (record: Contact) in _ = RecordValidation.problems(of: record) }
  case .settings: decode(message) { (_: Setting) in }
  case .keyShareDescriptors:
    decode(message) { (record: KeyShareDescriptor) in _ = RecordValidation.problems(of: record) }
  case .credentials: decode(message) { (_: Credential) in }
  case .files: decode(message) { (record: FilePart) in _ = PackedText.text(record.address) }
  case .transactions: decode(message) { (record: Transaction) in _ = RecordValidation.problems(of: record) }
  case .receipts: decode(message) { (record: Receipt) in _ = PackedText.text(record.id) }
  case .credentialSharing: decode(message) { (_: CredentialSharing) in }
  case .idTokenSharing: decode(message) { (_: IdTokenSharing) in }
  case .users: decode(message) { (_: ChatUser) in }
  case .threads: decode(message) { (_: ChatThread) in }
  case .messages: decode(message) { (_: ChatMessage) in }
  case .keyShares: decode(message) { (_: KeyShare) in }
  case .privateKeys: _ = try? PrivateKeyRecord(decoding: message.span)
  case .secretFiles: _ = try? SecretFilePart(decoding: message.span)
  }
}

private func decode<Record: Message>(_ message: [UInt8], _ use: (Record) -> Void) {
  guard let record = try? Record(serializedBytes: message) else { return }
  use(record)
}
