internal import FuekiCrypto
internal import FuekiWallet

/// The scripts of a Bitcoin wallet: those of its keychains by index, and those of single addresses.
struct WatchedScripts: Sendable {
  let network: BitcoinNetwork
  var keychains: [WatchedKeychain]
  let single: [WatchedScript]
  /// The number of consecutive unused indices that ends a keychain.
  let gapLimit: Int
  /// Parts of the wallet that cannot be queried.
  let warnings: [FindingsWarning]

  /// BIP-44's default, for wallets without a gap limit.
  private static let usualGapLimit = 20
  /// Above any software's limit.
  ///
  /// An archive may state any number.
  private static let highestGapLimit = 10_000

  /// Determines the scripts of a wallet.
  ///
  /// - Throws: ``SyncError/nothingToAsk`` if there are none; ``SyncError/unsupported(what:)`` for unsupported
  ///   chains and ``SyncError/descriptor(_:checksum:)`` for unsupported descriptors.
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

  /// Why used addresses may be unchecked; nil if all were checked.
  var cut: FindingsGap? {
    guard keychains.contains(where: { $0.isCut(gapLimit: gapLimit) }) else { return nil }
    return .addressLimit(WatchedKeychain.step)
  }
}

/// A descriptor of a wallet, and the state of its indices.
struct WatchedKeychain: Sendable {
  /// The wallet's name for it: "external", "internal", or its checksum.
  let name: String
  /// The descriptor, with one branch.
  let descriptor: Descriptor
  /// The highest index given out by the wallet.
  let lastRevealed: UInt32?
  /// The highest index that was ever used.
  var lastUsed: UInt32?
  /// The number of indices known before the first request.
  let knownBefore: Int

  init(name: String, descriptor: Descriptor, lastRevealed: UInt32?, lastUsed: UInt32?) {
    self.name = name
    self.descriptor = descriptor
    self.lastRevealed = lastRevealed
    self.lastUsed = lastUsed
    knownBefore = Self.known(lastRevealed, lastUsed)
  }

  /// Above any personal wallet, and low enough to stop at a server that reports every index as used.
  static let indexLimit = 100_000
  /// The number of additional indices that one resync accepts from a server.
  ///
  /// The next one continues from there.
  static let step = 4096

  /// Returns the number of indices, from 0, to check.
  func reach(gapLimit: Int) -> Int {
    guard descriptor.isRanged else { return 1 }
    return min(Self.known(lastRevealed, lastUsed) + gapLimit, limit(gapLimit: gapLimit))
  }

  /// Returns the maximum number of indices, from 0, to check, whatever a server reports.
  func limit(gapLimit: Int) -> Int { min(knownBefore + gapLimit + Self.step, Self.indexLimit) }

  /// Whether the limit, rather than the keychain's gap, ended the search.
  func isCut(gapLimit: Int) -> Bool {
    descriptor.isRanged && Self.known(lastRevealed, lastUsed) + gapLimit > limit(gapLimit: gapLimit)
  }

  private static func known(_ lastRevealed: UInt32?, _ lastUsed: UInt32?) -> Int {
    [lastRevealed, lastUsed].compactMap { $0.map { Int($0) + 1 } }.max() ?? 0
  }

  /// Returns the script for an index.
  func script(at index: Int, _ network: BitcoinNetwork) throws(SyncError) -> WatchedScript {
    do throws(DescriptorError) {
      let script = try descriptor.scriptPubKey(at: UInt32(clamping: index))
      return WatchedScript(script, address: network.address(of: script))
    } catch {
      throw .descriptor(error, checksum: descriptor.checksum)
    }
  }

  /// The highest used index found; nil if none.
  var finding: KeychainIndex? {
    guard let lastUsed else { return nil }
    var index = KeychainIndex()
    index.name = name
    index.lastUsed = lastUsed
    index.lastRevealed = max(lastRevealed ?? 0, lastUsed)
    return index
  }

  /// Returns a wallet's keychains in the order of its descriptors.
  ///
  /// The wallet's stored indices are keyed by checksum or by role: by convention, the first descriptor or
  /// branch is for receiving and the second for change.
  static func all(of wallet: Wallet, _ network: BitcoinNetwork) throws(SyncError) -> [WatchedKeychain] {
    let roles = ["external", "internal"]
    var parts: [(descriptor: Descriptor, wholeChecksum: String, branch: Int?)] = []
    for text in wallet.descriptors {
      do throws(DescriptorError) {
        let whole = try Descriptor(parsing: text)
        // An extended key of another network would search for coins where there are none.
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

/// A script that coins may pay to.
struct WatchedScript: Hashable, Sendable {
  /// The script in hexadecimal, as servers write it.
  let hex: String
  /// The script's address; nil if it has none.
  let address: String?

  init(_ script: [UInt8], address: String?) {
    hex = Hex.encode(script)
    self.address = address
  }

  static func == (a: WatchedScript, b: WatchedScript) -> Bool { a.hex == b.hex }
  func hash(into hasher: inout Hasher) { hasher.combine(hex) }
}
