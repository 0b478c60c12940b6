internal import FuekiBackup
internal import FuekiWallet

/// A signer's public keys for a coordinator, before a wallet exists.
///
/// Coldcard writes `ccxp-….json` and Unchained's variant, with a key for each script type. Other devices and
/// pages write one key with its path.
struct CosignerKeys {
  /// The members with a key for each script type.
  ///
  /// The path is in the member with the suffix `_deriv`.
  private static let scripts = ["p2sh", "p2sh_p2wsh", "p2wsh_p2sh", "p2wsh", "p2tr"]

  private var result = WalletFinding.Result.publicPart(.wholeness)
  private var hasPrivateKeys = false
  private let fingerprint: String

  /// Whether a file's first bytes look like one of these.
  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    guard beginning.contains("\"xfp\"") else { return false }
    if beginning.contains("\"xpub\"") && beginning.contains("\"bip32Path\"") { return true }
    return beginning.contains("\"p2sh_deriv\"") || beginning.contains("\"p2sh_p2wsh_deriv\"")
      || beginning.contains("\"p2wsh_p2sh_deriv\"") || beginning.contains("\"p2wsh_deriv\"")
  }

  /// Parses a document; nil if it is none of these.
  init?(_ root: JSONValue) {
    guard root.kind == .object, let fingerprint = root.member("xfp")?.string else { return nil }
    self.fingerprint = fingerprint.lowercased()
    var keys = Self.scripts.compactMap { name in
      root.member(name)?.string.map { (key: $0, path: root.member("\(name)_deriv")?.string) }
    }
    if keys.isEmpty, let key = root.member("xpub")?.string, let path = root.member("bip32Path")?.string {
      keys = [(key, path)]
    }
    guard !keys.isEmpty else { return nil }
    if KeyOrigin(self.fingerprint) == nil { note(.malformed) }
    for (key, path) in keys { check(key, path: path) }
  }

  private mutating func note(_ fault: WalletFinding.Fault) {
    if case .publicPart = result { result = .faulty(fault) }
  }

  private mutating func check(_ text: String, path: String?) {
    do throws(ExtendedKeyError) {
      let key = try ExtendedPublicKey(parsing: text)
      guard let path = path.flatMap({ DerivationPath($0) }), path.steps.count == Int(key.depth),
        path.steps.last.map({ $0 == key.step }) ?? true
      else { return note(.malformed) }
    } catch .privateKey {
      hasPrivateKeys = true
    } catch .wrongChecksum {
      note(.checksum)
    } catch {
      note(.malformed)
    }
  }

  /// Assesses the keys: they identify one signer's part, but no addresses.
  func finding(name: String) -> WalletFinding {
    var whole = result
    // The other signers' keys are elsewhere.
    if hasPrivateKeys, case .publicPart = result { whole = .notProved(.needsOtherParties) }
    return WalletFinding(
      kind: MultisigCollector.kind, name: name, whole, detail: fingerprint, isInClear: hasPrivateKeys)
  }
}
