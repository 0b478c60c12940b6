internal import FuekiBackup
internal import FuekiWallet
internal import SwiftProtobuf

extension StoreTable {
  /// The type of the table's records.
  var recordType: any MergeableRecord.Type {
    switch name {
    case .wallets: Wallet.self
    case .assets: Asset.self
    case .contacts: Contact.self
    case .settings: Setting.self
    case .keyShareDescriptors: KeyShareDescriptor.self
    case .credentials: Credential.self
    case .files: FilePart.self
    case .transactions: Transaction.self
    case .receipts, .unclaimedReceipts: Receipt.self
    case .credentialSharing: CredentialSharing.self
    case .idTokenSharing: IdTokenSharing.self
    case .users: ChatUser.self
    case .threads: ChatThread.self
    case .messages: ChatMessage.self
    }
  }

  /// The same record in the spelling that SwiftProtobuf writes.
  func respell(_ message: [UInt8]) throws -> [UInt8] { try Self.respell(message, as: recordType) }

  private static func respell<Record: SectionRecord>(
    _ message: [UInt8], as type: Record.Type
  ) throws -> [UInt8] {
    try Record(serializedBytes: message).serializedBytes()
  }
}
