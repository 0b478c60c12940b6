internal import FuekiCrypto
internal import FuekiWallet

/// The scripts that a Bitcoin wallet's coins may pay to: those of its keychains, index by index, and those of single
/// addresses.
struct WatchedScripts: Sendable {
  let network: BitcoinNetwork
  var keychains: [WatchedKeychain]
  let single: [WatchedScript]
  /// How many unused indices in a row end a keychain.
  let gapLimit: Int
  /// What of the wallet cannot be asked about.
  let warnings: [FindingsWarning]

  /// Wallets that say nothing have what BIP-44 says.
  private static let usualGapLimit = 20
  /// More than anyone's software accepts; an archive's number may be any.
  private static let highestGapLimit = 10_000

  /// Finds out what to look for.
  ///
  /// - Throws: ``SyncError/nothingToAsk`` where there is nothing; ``SyncError/unsupported(what:)`` for chains and
  ///   ``SyncError/descriptor(_:checksum:)`` for descriptors that are not understood here.
  init(_ wallet: Wallet) throws(SyncError) {
    guard wallet.family == .bitcoin, let network = BitcoinNetwork.named(wallet.chainID) else {
      throw .unsupported(what: "the chain \(wallet.chainID)")
    }
    self.network = network
    gapLimit =
      wallet.hasGapLimit
      ? min(max(1, Int(wallet.gapLimit)), Self.highestGapLimit) : Self.usualGapLimit
    keychains = try WatchedKeychain.all(of: wallet, network)
    var warnings: [FindingsWarning] = []
    var single: [WatchedScript] = []
    let texts = ([wallet.address] + wallet.accounts.map(\.address)).compactMap(PackedText.text)
    for address in texts where !address.isEmpty {
      guard let script = network.outputScript(of: address) else {
        warnings.append(.unusableAddress(address, network: network.name))
        continue
      }
      let watched = WatchedScript(script, address: address)
      if !single.contains(watched) { single.append(watched) }
    }
    self.single = single
    self.warnings = warnings
    guard !keychains.isEmpty || !single.isEmpty else { throw .nothingToAsk }
  }

  /// Why addresses that are used may not have been looked at; nil where all were.
  var cut: FindingsGap? {
    guard keychains.contains(where: { $0.isCut(gapLimit: gapLimit) }) else { return nil }
    return .addressLimit(WatchedKeychain.step)
  }
}

/// A script that coins may pay to.
struct WatchedScript: Hashable, Sendable {
  /// The script in hexadecimal, as servers spell it.
  let hex: String
  /// The address that leads to it; nil where none does.
  let address: String?

  init(_ script: [UInt8], address: String?) {
    hex = Hex.encode(script)
    self.address = address
  }

  static func == (a: WatchedScript, b: WatchedScript) -> Bool { a.hex == b.hex }
  func hash(into hasher: inout Hasher) { hasher.combine(hex) }
}

/// One descriptor of a wallet, with what is known of its indices.
struct WatchedKeychain: Sendable {
  /// What the wallet calls it: "external", "internal", or its checksum.
  let name: String
  /// The descriptor, with one branch.
  let descriptor: Descriptor
  /// The highest index that the wallet has given to anyone.
  let lastRevealed: UInt32?
  /// The highest index that was ever paid to.
  var lastUsed: UInt32?
  /// How many indices were known before anybody was asked.
  let knownBefore: Int

  init(name: String, descriptor: Descriptor, lastRevealed: UInt32?, lastUsed: UInt32?) {
    self.name = name
    self.descriptor = descriptor
    self.lastRevealed = lastRevealed
    self.lastUsed = lastUsed
    knownBefore = Self.known(lastRevealed, lastUsed)
  }

  /// More than any person's wallet has, and few enough that a server which calls everything used is got rid of.
  static let indexLimit = 100_000
  /// How many more than were known one resync takes a server's word for; the next one goes on from there.
  static let step = 4096

  /// How many indices, from 0 on, must be looked at.
  func reach(gapLimit: Int) -> Int {
    guard descriptor.isRanged else { return 1 }
    return min(Self.known(lastRevealed, lastUsed) + gapLimit, limit(gapLimit: gapLimit))
  }

  /// How many indices, from 0 on, are looked at whatever a server says.
  func limit(gapLimit: Int) -> Int { min(knownBefore + gapLimit + Self.step, Self.indexLimit) }

  /// Whether a limit, and not the keychain's gap, ended it.
  func isCut(gapLimit: Int) -> Bool {
    descriptor.isRanged && Self.known(lastRevealed, lastUsed) + gapLimit > limit(gapLimit: gapLimit)
  }

  private static func known(_ lastRevealed: UInt32?, _ lastUsed: UInt32?) -> Int {
    [lastRevealed, lastUsed].compactMap { $0.map { Int($0) + 1 } }.max() ?? 0
  }

  /// The script with an index.
  func script(at index: Int, _ network: BitcoinNetwork) throws(SyncError) -> WatchedScript {
    do throws(DescriptorError) {
      let script = try descriptor.scriptPubKey(at: UInt32(clamping: index))
      return WatchedScript(script, address: network.address(of: script))
    } catch {
      throw .descriptor(error, checksum: descriptor.checksum)
    }
  }

  /// What is found out about it; nil where nothing is.
  var finding: KeychainIndex? {
    guard let lastUsed else { return nil }
    var index = KeychainIndex()
    index.name = name
    index.lastUsed = lastUsed
    index.lastRevealed = max(lastRevealed ?? 0, lastUsed)
    return index
  }

  /// A wallet's keychains, in the order of its descriptors.
  ///
  /// The wallet's own numbers go by the checksum or, as by custom the first descriptor or branch is for receiving and
  /// the second for change, by the words for these.
  static func all(of wallet: Wallet, _ network: BitcoinNetwork) throws(SyncError) -> [WatchedKeychain] {
    let roles = ["external", "internal"]
    var parts: [(descriptor: Descriptor, wholeChecksum: String, branch: Int?)] = []
    for text in wallet.descriptors {
      do throws(DescriptorError) {
        let whole = try Descriptor(parsing: text)
        // An extended key of another network would look for coins where there are none.
        do throws(DescriptorError) { _ = try whole.address(at: 0, network: network) } catch {
          guard error == .noAddress else { throw error }
        }
        for (branch, part) in try whole.branches().enumerated()
        where !parts.contains(where: { $0.descriptor == part }) {
          parts.append((part, whole.checksum, whole.branchCount > 1 ? branch : nil))
        }
      } catch {
        throw .descriptor(error, checksum: nil)
      }
    }
    return parts.enumerated().map { place, part in
      let place = part.branch ?? (parts.count <= roles.count ? place : roles.count)
      let role = place < roles.count ? roles[place] : nil
      let known =
        wallet.keychains.first { $0.name == part.descriptor.checksum }
        ?? wallet.keychains.first { part.branch == nil && $0.name == part.wholeChecksum }
        ?? wallet.keychains.first { $0.name == role }
      let name = known?.name ?? (parts.count <= roles.count ? role : nil) ?? part.descriptor.checksum
      return WatchedKeychain(
        name: name, descriptor: part.descriptor,
        lastRevealed: known.flatMap { $0.hasLastRevealed ? $0.lastRevealed : nil },
        lastUsed: known.flatMap { $0.hasLastUsed ? $0.lastUsed : nil })
    }
  }
}
