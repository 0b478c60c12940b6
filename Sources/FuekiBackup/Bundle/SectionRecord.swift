public import FuekiWallet
public import SwiftProtobuf

/// A record that stands in one section of a bundle.
public protocol SectionRecord: SwiftProtobuf.Message, Sendable {
  /// The section that holds records of this type.
  static var section: Section { get }
}

extension Wallet: SectionRecord {
  /// Section 2.
  public static var section: Section { .wallets }
}
extension Asset: SectionRecord {
  /// Section 3.
  public static var section: Section { .assets }
}
extension Contact: SectionRecord {
  /// Section 4.
  public static var section: Section { .contacts }
}
extension Setting: SectionRecord {
  /// Section 5.
  public static var section: Section { .settings }
}
extension KeyShareDescriptor: SectionRecord {
  /// Section 6.
  public static var section: Section { .keyShareDescriptors }
}
extension Credential: SectionRecord {
  /// Section 7.
  public static var section: Section { .credentials }
}
extension FilePart: SectionRecord {
  /// Section 8.
  public static var section: Section { .files }
}
extension Transaction: SectionRecord {
  /// Section 32.
  public static var section: Section { .transactions }
}
extension Receipt: SectionRecord {
  /// Section 33.
  public static var section: Section { .receipts }
}
extension CredentialSharing: SectionRecord {
  /// Section 34.
  public static var section: Section { .credentialSharing }
}
extension IdTokenSharing: SectionRecord {
  /// Section 35.
  public static var section: Section { .idTokenSharing }
}
extension ChatUser: SectionRecord {
  /// Section 36.
  public static var section: Section { .users }
}
extension ChatThread: SectionRecord {
  /// Section 37.
  public static var section: Section { .threads }
}
extension ChatMessage: SectionRecord {
  /// Section 38.
  public static var section: Section { .messages }
}
