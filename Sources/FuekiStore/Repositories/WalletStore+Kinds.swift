public import FuekiWallet

extension WalletStore {
  /// Returns the repository of a kind.
  public func records<Record: SectionRecord>(of type: Record.Type) -> Repository<Record> { Repository(self) }

  /// The wallets.
  public var wallets: Repository<Wallet> { records(of: Wallet.self) }
  /// The wallets' assets.
  public var assets: Repository<Asset> { records(of: Asset.self) }
  /// The wallets' transactions.
  public var transactions: Repository<Transaction> { records(of: Transaction.self) }
  /// The transactions' receipts, with or without their transactions.
  public var receipts: Repository<Receipt> { records(of: Receipt.self) }
  /// The address book.
  public var contacts: Repository<Contact> { records(of: Contact.self) }
  /// The settings.
  public var settings: Repository<Setting> { records(of: Setting.self) }
  /// The verifiable credentials.
  public var credentials: Repository<Credential> { records(of: Credential.self) }
  /// The presentations of credentials.
  public var credentialSharings: Repository<CredentialSharing> { records(of: CredentialSharing.self) }
  /// The presentations of ID tokens.
  public var idTokenSharings: Repository<IdTokenSharing> { records(of: IdTokenSharing.self) }
  /// The participants in threads.
  public var users: Repository<ChatUser> { records(of: ChatUser.self) }
  /// The threads of messages.
  public var threads: Repository<ChatThread> { records(of: ChatThread.self) }
  /// The messages.
  public var messages: Repository<ChatMessage> { records(of: ChatMessage.self) }
  /// The public parts of key shares.
  public var keyShareDescriptors: Repository<KeyShareDescriptor> { records(of: KeyShareDescriptor.self) }
  /// The files kept byte for byte, in parts.
  public var files: Repository<FilePart> { records(of: FilePart.self) }
}
