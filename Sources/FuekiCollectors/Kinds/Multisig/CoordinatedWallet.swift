internal import FuekiSources
internal import FuekiCrypto
internal import FuekiWallet

/// A wallet from a coordinator's file: public keys, the threshold, and stated addresses.
struct CoordinatedWallet {
  /// An address stated in the file, with its position.
  struct StatedAddress {
    let text: String
    let branch: Int
    let index: UInt32
  }

  var name: String
  /// The descriptors with their checksums.
  private(set) var texts: [String] = []
  /// The descriptors in a supported form.
  private(set) var parsed: [Descriptor] = []
  /// The first fault found.
  private(set) var fault: WalletFinding.Fault?
  /// Whether the file contains private keys.
  private(set) var hasPrivateKeys = false
  /// Whether a key of it is public only, so that another signer's file is needed.
  private var hasPublicKeys = false
  /// Whether the format has integrity checks in addition to the keys' checksums.
  var hasChecks = true
  /// Whether a stated address was confirmed by a method of the format.
  var isShown = false
  /// The addresses stated in the file.
  var stated: [StatedAddress] = []
  /// The network, if the file states it.
  var network = ""
  /// The time of the wallet's creation, in seconds since 1970.
  var created: UInt64?
  /// BIP-329 labels.
  var labels: [(type: String, reference: String, object: String)] = []

  /// Why its descriptors are not all read; nil if they are.
  private(set) var exceeded: (any Error)?
  private let work: WorkBudget
  /// The candidates that one key counts for: it is parsed, and derived for several addresses.
  private static let keyCost = 32

  init(name: String, work: WorkBudget) {
    self.name = name
    self.work = work
  }

  /// Spends the work of parsing or deriving keys; false if nothing is left for it.
  mutating func spend(keys count: Int) -> Bool {
    guard exceeded == nil else { return false }
    do {
      try work.spend(count * Self.keyCost, on: .candidates)
      return true
    } catch {
      exceeded = error
      return false
    }
  }

  /// Records a fault, unless there already is one.
  mutating func note(_ fault: WalletFinding.Fault) { self.fault = self.fault ?? fault }

  /// Adds a descriptor from a file.
  mutating func add(descriptor text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Descriptor.characterCountLimit, let outline = DescriptorOutline(bytes.span) else {
      return note(.malformed)
    }
    guard spend(keys: max(outline.keys.count, 1)) else { return }
    if !outline.isWhole(bytes.span) { return note(.checksum) }
    var replaced: [Int: String] = [:]
    var seen: Set<ArraySlice<UInt8>> = []
    for (index, key) in outline.keys.enumerated() {
      if !seen.insert(bytes[key.key.lowerBound..<key.steps.upperBound]).inserted { note(.quorum) }
      let text = String(decoding: bytes[key.key], as: UTF8.self)
      guard Hex.decode(text) == nil else {
        hasPublicKeys = true
        continue
      }
      do throws(ExtendedKeyError) {
        let extended = try ExtendedPublicKey(parsing: text)
        hasPublicKeys = true
        check(extended, origin: key.origin.map { String(decoding: bytes[$0], as: UTF8.self) })
        let standard = extended.text(as: extended.version.standard)
        // If the text omits both steps, the first conventionally selects receiving or change.
        let isBare = key.steps.isEmpty && extended.depth > 0 && outline.keys.allSatisfy(\.steps.isEmpty)
        guard isBare || standard != text else { continue }
        let origin = key.origin.map { "[" + String(decoding: bytes[$0], as: UTF8.self) + "]" } ?? ""
        let steps = String(decoding: bytes[key.steps], as: UTF8.self)
        replaced[index] = origin + standard + (isBare ? "/<0;1>/*" : steps)
      } catch .privateKey {
        hasPrivateKeys = true
      } catch .wrongChecksum {
        note(.checksum)
      } catch {
        // A single private key, or not a key.
        if (try? Base58Check.decode(text)) != nil { hasPrivateKeys = true } else { note(.malformed) }
      }
    }
    guard let whole = outline.text(bytes.span, replacing: replaced) else { return note(.malformed) }
    guard !hasPrivateKeys else { return }
    texts.append(whole)
    do throws(DescriptorError) {
      parsed.append(try Descriptor(parsing: whole))
    } catch .invalidThreshold {
      note(.quorum)
    } catch .unsupported {
      return
    } catch {
      note(.malformed)
    }
  }

  /// Adds a multisig's keys.
  ///
  /// - Parameters:
  ///   - required: the number of signatures.
  ///   - total: the expected number of keys; nil if not stated.
  ///   - format: the script type: `P2WSH`, `P2SH-P2WSH` in either order, or `P2SH`, Coldcard's default for a
  ///     file without one.
  ///   - keys: each key with its known origin, such as `0f056943` and `m/48'/0'/0'/2'`.
  mutating func add(
    required: Int, of total: Int?, format: String, keys: [(fingerprint: String, path: String, key: String)]
  ) {
    let length = keys.reduce(0) { $0 + $1.fingerprint.utf8.count + $1.path.utf8.count + $1.key.utf8.count }
    guard length <= Descriptor.characterCountLimit else { return note(.malformed) }
    let parts = keys.map { fingerprint, path, key in
      let steps = path.hasPrefix("m") ? path.dropFirst() : path.isEmpty ? "" : "/" + path
      let origin = fingerprint.lowercased() + steps
      return (KeyOrigin(origin) == nil ? "" : "[\(origin)]") + key
    }
    // If keys are missing, no address of the wallet can be found.
    if let total, keys.count != total { note(keys.count < total ? .length : .malformed) }
    guard 1...max(keys.count, 1) ~= required else { return note(.quorum) }
    let inside = "sortedmulti(\(required),\(parts.joined(separator: ",")))"
    switch format.uppercased() {
    case "P2WSH": add(descriptor: "wsh(\(inside))")
    case "P2SH-P2WSH", "P2WSH-P2SH": add(descriptor: "sh(wsh(\(inside)))")
    case "P2SH", "": add(descriptor: "sh(\(inside))")
    default: note(.malformed)
    }
  }

  /// Checks a key's depth and last step against its stated path.
  private mutating func check(_ key: ExtendedPublicKey, origin: String?) {
    guard let origin, let stated = KeyOrigin(origin), stated.fingerprint != 0,
      let last = stated.path.steps.last
    else { return }
    if stated.path.steps.count != Int(key.depth) || last != key.step { note(.malformed) }
  }

  // MARK: value

  /// The threshold and total; empty if they are not uniform.
  private var quorum: String {
    parsed.lazy.compactMap(\.quorum).first.map { "\($0.required) of \($0.total)" } ?? ""
  }

  var networkName: String {
    if let known = BitcoinNetwork.named(network)?.name { return known }
    let address = stated.first?.text ?? ""
    let fitting = BitcoinNetwork.all.first { !address.isEmpty && $0.problem(with: address) == nil }
    return fitting?.name ?? (texts.contains { $0.contains("tpub") } ? "bitcoin-testnet" : "bitcoin")
  }

  var firstAddress: String? {
    guard let network = BitcoinNetwork.named(networkName) else { return nil }
    return parsed.first.flatMap { try? $0.address(at: 0, network: network) }
  }

  private func derives(_ address: StatedAddress) -> Bool {
    guard let network = BitcoinNetwork.named(networkName) else { return false }
    // QR codes use upper case.
    let wanted = (try? SegwitAddress(address.text))?.text ?? address.text
    let descriptors = parsed.count > 1 ? [parsed[min(address.branch, parsed.count - 1)]] : parsed
    return descriptors.contains { descriptor in
      let branch = parsed.count > 1 ? 0 : min(address.branch, descriptor.branchCount - 1)
      return (try? descriptor.address(at: address.index, branch: branch, network: network)) == wanted
    }
  }

  private var result: WalletFinding.Result {
    if let fault { return .faulty(fault) }
    if hasPrivateKeys { return hasPublicKeys ? .notProved(.needsOtherParties) : .proved(.wholeness) }
    guard !texts.isEmpty else { return .faulty(.malformed) }
    guard stated.isEmpty || parsed.isEmpty else {
      return stated.allSatisfy(derives) ? .publicPart(.address) : .faulty(.otherAddress)
    }
    // Public keys find the coins. Only the signers' own keys, which are elsewhere, spend them.
    if isShown { return .publicPart(.address) }
    return .publicPart(hasChecks ? .wholeness : nil)
  }

  var finding: WalletFinding {
    let detail = [quorum, firstAddress ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    return WalletFinding(
      kind: MultisigCollector.kind, name: name, result, detail: detail, isInClear: hasPrivateKeys)
  }

  // MARK: records

  func add(to records: inout ImportedRecords, taken keys: inout SettingKeys) {
    records.findings.append(finding)
    guard !texts.isEmpty else { return }
    var wallet = Wallet()
    wallet.id = ForeignNames.packed("coordinated wallet", texts.sorted().joined(separator: " "))
    wallet.name = name
    wallet.kind = WalletKind.watchOnly.rawValue
    wallet.chainFamily = ChainFamily.bitcoin.name
    wallet.chainID = networkName
    wallet.network = networkName
    wallet.address = PackedText.pack(firstAddress ?? "")
    wallet.descriptors = texts
    if let created, let time = Timestamp(seconds: String(created), since: .unix) {
      wallet.createdAt = time.microseconds
    }
    if !records.wallets.contains(where: { $0.id == wallet.id }) { records.add(wallet) }
    for (type, reference, object) in labels {
      records.add(setting: LabelLines.key(type, reference), object, taken: &keys)
    }
  }
}
