internal import FoundationEssentials
public import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
public import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

/// A reproducible demo wallet: realistic in size, with the irregularities of real ones.
///
/// It has a threshold wallet on Ethereum whose address matches its key shares, a Bitcoin wallet with
/// descriptors, a watched Litecoin wallet, assets, a history with receipts, contacts, settings, a credential
/// and conversations. Its secrets follow from the seed or are published test values: never fund them.
public struct SampleWallet: Sendable {
  /// The largest 256-bit number, which has 78 digits.
  static let largestAmount = "115792089237316195423570985008687907853269984665640564039457584007913129639935"

  private let profile: SampleProfile

  /// Describes a wallet without generating it.
  ///
  /// - Parameters:
  ///   - seed: the seed of all values.
  ///   - transactions: the number of transactions. Most have a receipt with one to three logs.
  public init(seed: UInt64 = 1, transactions: Int = 2000) {
    profile = SampleProfile(seed: seed, transactionCount: max(transactions, 0))
  }

  /// Creates the wallet's data directory: the store and a keychain with these slots.
  ///
  /// - Parameters:
  ///   - dataDirectory: missing or empty.
  ///   - slots: the slots of the keychain; if empty, no keychain is written.
  ///   - vaultID: random if nil.
  ///   - progress: receives the number of inserted transactions and receipts every few thousand rows.
  /// - Returns: the open store.
  /// - Throws: errors of the store, the keychain and `progress`.
  @discardableResult
  public func write(
    to dataDirectory: String, keychain slots: [NewKeychainSlot], vaultID: VaultID? = nil,
    progress: (_ rows: Int) throws -> Void = { _ in }
  ) throws -> WalletStore {
    let shares = try SampleShares(
      seed: profile.seed, walletID: profile.id(of: .ethereum), createdAt: SampleTime.start)
    let history = try SampleHistory(profile, shares)
    let people = SamplePeople(seed: profile.seed)
    let builder = try StoreBuilder(dataDirectory: dataDirectory, vaultID: vaultID)
    try builder.insert(profile.wallets(shares))
    try builder.insert(profile.assets())
    try builder.insert(people.contacts(history))
    try builder.insert(people.settings())
    try builder.insert(shares.descriptors)
    try builder.insert(people.credentials())
    try insert(history, into: builder, progress)
    try builder.insert(people.credentials().flatMap(people.credentialSharings))
    try builder.insert(people.idTokenSharings())
    let threads = SampleThreads(seed: profile.seed)
    try builder.insert(threads.users)
    try builder.insert(threads.threads)
    try builder.insert(threads.messages)
    let store = try builder.finish()
    if !slots.isEmpty { try writeKeychain(shares, slots, in: dataDirectory) }
    return store
  }

  /// Generates blocks on workers and inserts them here, all transactions before the first receipt.
  private func insert(
    _ history: SampleHistory, into builder: StoreBuilder, _ progress: (_ rows: Int) throws -> Void
  ) throws {
    var rows = 0
    for section in [Section.transactions, .receipts] {
      let workers = OrderedWorkers<[UInt8]>(width: Processors.count, window: Processors.count * 2)
      var next = 0
      while next < history.blockCount || !workers.isEmpty {
        while next < history.blockCount, !workers.isFull {
          let block = next
          workers.submit {
            section == .transactions
              ? try history.transactions(ofBlock: block) : try history.receipts(ofBlock: block)
          }
          next += 1
        }
        guard let framed = try workers.next() else { break }
        try builder.insert(framed: framed, of: section)
        rows += SampleHistory.blockLength
        try progress(rows)
      }
    }
  }

  private func writeKeychain(_ shares: SampleShares, _ slots: [NewKeychainSlot], in directory: String) throws
  {
    let editor = try KeychainEditor(slots: slots)
    for (descriptor, secret) in zip(shares.descriptors, shares.secrets) {
      try editor.add(share: descriptor, secret: secret.bytes)
    }
    var random = SampleRandom(seed: profile.seed, place: 0x5EED)
    let words = try SecretBytes(copying: SamplePhrase.words.utf8Span.span)
    let phrase = PrivateKeyRecord(
      id: random.bytes(16), walletID: profile.id(of: .bitcoin), kind: "seed-phrase", name: "Spending",
      secret: SharedSecret(words), createdAt: SampleTime.start)
    try editor.add(phrase)
    try editor.write(in: directory)
  }
}
