internal import FoundationEssentials
internal import FuekiBackup
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
