internal import FoundationEssentials
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiWallet

/// A vault as exported by one device.
struct VultisigVault {
  struct Entry {
    let publicKey: String
    /// The share's text.
    let share: SharedSecret
  }

  /// The origin of the vault's key: 0 is GG20, 1 DKLS, 2 an imported key.
  enum Library: UInt64 { case gg20, dkls, imported }

  var name = ""
  var ecdsaKey = ""
  var eddsaKey = ""
  var signers: [String] = []
  var createdAt: Int64?
  var chainCode = ""
  var entries: [Entry] = []
  var localParty = ""
  var library: Library?
  /// The keys of single chains.
  ///
  /// A vault from a seed phrase has a key and its share for each chain.
  var chainKeys: [(chain: String, key: String)] = []
  /// Keys of schemes whose shares are not supported.
  var otherKeys: [String] = []

  private static let entryLimit = 256

  /// Parses the apps' message; nil for other bytes.
  init?(message: borrowing SecretBytes) throws {
    library = .gg20
    do {
      try message.withBytes { message in
        var reader = WireReader()
        while let field = try reader.next(in: message) { try take(field, of: message) }
      }
    } catch is WireError {
      return nil
    }
    guard !entries.isEmpty || !ecdsaKey.isEmpty || !eddsaKey.isEmpty else { return nil }
  }

  private mutating func take(_ field: WireField, of message: Span<UInt8>) throws {
    func text() throws -> String { String(decoding: try field.bytes(in: message), as: UTF8.self) }
    switch field.number {
    case 1: name = try text()
    case 2: ecdsaKey = try text()
    case 3: eddsaKey = try text()
    case 4: signers.append(try text())
    case 5: createdAt = try Self.time(message.extracting(try field.content()))
    case 6: chainCode = try text()
    case 7:
      guard entries.count < Self.entryLimit else { return }
      if let entry = try Self.entry(message.extracting(try field.content())) { entries.append(entry) }
    case 8: localParty = try text()
    case 10: library = Library(rawValue: try field.varint())
    case 11:
      let content = message.extracting(try field.content())
      var (key, chain) = ("", "")
      var reader = WireReader()
      while let field = try reader.next(in: content) {
        switch field.number {
        case 1: key = String(decoding: try field.bytes(in: content), as: UTF8.self)
        case 2: chain = String(decoding: try field.bytes(in: content), as: UTF8.self)
        default: break
        }
      }
      if chainKeys.count < Self.entryLimit { chainKeys.append((chain, key)) }
    case 12, 13, 14: otherKeys.append(try text())
    default: break
    }
  }

  private static func entry(_ message: Span<UInt8>) throws -> Entry? {
    var (key, share) = ("", SharedSecret?.none)
    var reader = WireReader()
    while let field = try reader.next(in: message) {
      switch field.number {
      case 1: key = String(decoding: try field.bytes(in: message), as: UTF8.self)
      case 2: share = SharedSecret(try SecretBytes(copying: message.extracting(try field.content())))
      default: break
      }
    }
    return share.map { Entry(publicKey: key, share: $0) }
  }

  private static func time(_ message: Span<UInt8>) throws -> Int64? {
    var (seconds, nanoseconds) = (Int64(0), Int64(0))
    var reader = WireReader()
    while let field = try reader.next(in: message) {
      switch field.number {
      case 1: seconds = Int64(bitPattern: try field.varint())
      case 2: nanoseconds = Int64(bitPattern: try field.varint())
      default: break
      }
    }
    let (microseconds, isTooMuch) = seconds.multipliedReportingOverflow(by: 1_000_000)
    guard !isTooMuch, 0..<1_000_000_000 ~= nanoseconds else { return nil }
    let (sum, isOver) = microseconds.addingReportingOverflow(nanoseconds / 1000)
    return isOver ? nil : sum
  }

  /// Parses the first apps' format; nil for other JSON.
  init?(json: borrowing SecretBytes) throws {
    let copy = try json.copied()
    let document: GuardedDocument
    do throws(JSONError) {
      document = try GuardedDocument(copy, limit: ImportLimits.walletByteCount)
    } catch {
      return nil
    }
    let root = document.root.member("vault") ?? document.root
    guard let shares = Self.member(root, "keyshares") else { return nil }
    func text(_ name: String) -> String { Self.member(root, name)?.string ?? "" }
    (name, ecdsaKey, eddsaKey) = (text("name"), text("pubkeyecdsa"), text("pubkeyeddsa"))
    (chainCode, localParty) = (text("hexchaincode"), text("localpartyid"))
    signers = (Self.member(root, "signers")?.elements ?? []).compactMap(\.string)
    for value in shares.elements.prefix(Self.entryLimit) {
      guard let share = try Self.member(value, "keyshare")?.secret() else { continue }
      let key = Self.member(value, "pubkey") ?? Self.member(value, "publickey")
      entries.append(Entry(publicKey: key?.string ?? "", share: share))
    }
    guard !entries.isEmpty else { return nil }
    library = .gg20
    // The oldest vaults state their keys only with their shares.
    if ecdsaKey.isEmpty { ecdsaKey = entries.first { $0.publicKey.utf8.count == 66 }?.publicKey ?? "" }
    if eddsaKey.isEmpty { eddsaKey = entries.first { $0.publicKey.utf8.count == 64 }?.publicKey ?? "" }
  }

  /// Returns a member, ignoring the case and underscores of its name, which varied in the apps.
  private static func member(_ value: GuardedValue, _ name: String) -> GuardedValue? {
    value.members.first { member in
      member.name.lowercased().filter { $0 != "_" } == name
    }?.value
  }
}

extension SecretBytes {
  /// Returns a copy of all bytes.
  borrowing func copied() throws(CryptoError) -> SecretBytes { try copy(0..<count) }
}

/// One of a vault's key shares: the format of its text, and whether it matches its key.
struct VultisigShare {
  /// Its public part; nil for an unsupported text.
  private(set) var side: SharePublicSide?
  private(set) var finding: WalletFinding
  private(set) var problems: [String] = []

  init(
    _ entry: VultisigVault.Entry, vault: VultisigVault, file: String, place: Int, isOwn: Bool, isOther: Bool,
    isOfChain: Bool
  ) throws {
    finding = WalletFinding(
      kind: VultisigCollector.kind, name: file, .faulty(.malformed), detail: entry.publicKey)
    let shareName = "\(file) \(place + 1)"
    let text = entry.share
    let wanted = Hex.decode(entry.publicKey) ?? []
    if text.bytes.withBytes({ $0.firstVisible == UInt8(ascii: "{") }) {
      guard var share = try text.bytes.withBytes({ try VultisigGG20($0, name: shareName) }) else {
        if isOther { finding.result = .notProved(.unknownScheme) }
        return
      }
      if let party = share.party, !vault.localParty.isEmpty, party != vault.localParty {
        problems.append("the share for \(entry.publicKey) is of the party \"\(party)\"")
      }
      let result = try ShareProof.result(of: &share.side, point: share.point, wanted: wanted)
      take(share.side, result)
      if !isOfChain { check(share.chainCode, vault) }
    } else if let bytes = try text.bytes.withBytes({ try GuardedEncodings.base64($0) }) {
      if bytes.withBytes({ $0.starts(with: VultisigEnvelope.magic) }) {
        finding.result = .faulty(.ciphertext)
        return
      }
      if let share = bytes.withBytes({ DKLSKeyshare($0) }) {
        var side = share.side(name: shareName, encoding: DKLSKeyshare.encodingInVault)
        let result = try bytes.withBytes { try share.result(of: &side, $0, wanted: wanted) }
        take(side, result)
        if !isOfChain { check(Hex.encode(share.chainCode), vault) }
      } else if let share = bytes.withBytes({ SchnorrKeyshare($0) }) {
        let (side, result) = try bytes.withBytes {
          try share.proved($0, name: shareName, encoding: SchnorrKeyshare.encodingInVault, wanted: wanted)
        }
        take(side, result)
      } else if bytes.withBytes({ DKLSKeyshare.isLikely($0) || SchnorrKeyshare.isLikely($0) }) {
        finding.result = .faulty(.length)
      } else {
        // The older encryption has no mark, but ciphertext is longer than any word.
        let isCiphertext = bytes.count >= VultisigEnvelope.leastByteCount + 32
        finding.result =
          isOther ? .notProved(.unknownScheme) : .faulty(isCiphertext ? .ciphertext : .malformed)
      }
    } else if isOther {
      finding.result = .notProved(.unknownScheme)
    }
    // A share of an earlier key is kept, but cannot sign for the vault's current keys.
    if !isOwn, !isOther, case .proved = finding.result { finding.result = .notProved(.otherKey) }
  }

  private mutating func take(_ side: SharePublicSide, _ result: WalletFinding.Result) {
    self.side = side
    finding.result = result
    finding.detail = ShareProof.detail(side)
  }

  /// Compares the chain codes.
  ///
  /// Every address depends on the chain code.
  private mutating func check(_ chainCode: String, _ vault: VultisigVault) {
    guard !chainCode.isEmpty, !vault.chainCode.isEmpty, !finding.isFaulty else { return }
    if chainCode.lowercased() != vault.chainCode.lowercased() { finding.result = .faulty(.otherAddress) }
  }
}

/// A share of a vault's first scheme: JSON around tss-lib's data.
struct VultisigGG20 {
  static let encoding = "vultisig-gg20"

  var side: SharePublicSide
  /// The secret's public point; nil without a scalar of the curve, or if it cannot sign.
  let point: [UInt8]?
  let party: String?
  let chainCode: String

  /// Describes a complete text; nil for other JSON.
  init?(_ text: Span<UInt8>, name: String) throws {
    guard let outline = try? JSONOutline(text, limit: ImportLimits.tssShareByteCount),
      let data = Self.data(outline, text)
    else { return nil }
    let share: TssLibShare
    do {
      share = try TssLibShare(
        text.extracting(data), name: name, byteCountLimit: ImportLimits.tssShareByteCount)
    } catch is TssLibShare.Refusal {
      return nil
    }
    func string(_ name: String) -> String? {
      outline.member(name, of: outline.root, in: text).flatMap { outline.string($0, in: text) }
    }
    party = string("local_party_key")
    chainCode = string("chain_code_hex") ?? ""
    side = SharePublicSide(share.descriptor, encoding: Self.encoding)
    if let prefix = string("reshare_prefix"), !prefix.isEmpty {
      side.extra.append(Extra("reshare_prefix", json: JSONText.quoted(prefix)))
    }
    let curve = Curve(rawValue: share.descriptor.curve) ?? .secp256k1
    // With another party's moduli, the scalar alone cannot sign.
    point = share.hasWrongModuli ? nil : try Self.point(text, on: curve)
  }

  /// Returns the public point of a complete text's secret; nil without one.
  static func point(_ text: Span<UInt8>, on curve: Curve) throws(CryptoError) -> [UInt8]? {
    guard let outline = try? JSONOutline(text, limit: ImportLimits.tssShareByteCount),
      let data = data(outline, text)
    else { return nil }
    return try TssLibShare.point(text.extracting(data), on: curve)
  }

  /// Returns the range of tss-lib's data.
  ///
  /// One of the two members is empty.
  private static func data(_ outline: JSONOutline, _ text: Span<UInt8>) -> Range<Int>? {
    for name in ["ecdsa_local_data", "eddsa_local_data"] {
      guard let value = outline.member(name, of: outline.root, in: text),
        let secret = outline.member("Xi", of: value, in: text), outline.kind(of: secret) == .number
      else { continue }
      return outline.range(of: value)
    }
    return nil
  }
}
