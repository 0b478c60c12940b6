internal import FuekiBackup
internal import FuekiWallet

/// What one signer hands to a coordinator: public keys of its own, before there is a wallet of them.
///
/// Coldcard writes `ccxp-….json` and Unchained's form of it, with a key for each kind of script; other devices and
/// pages write one key with its path.
struct CosignerKeys {
  /// The members that hold a key for one kind of script; the path is in the member with `_deriv` behind the name.
  private static let scripts = ["p2sh", "p2sh_p2wsh", "p2wsh_p2sh", "p2wsh", "p2tr"]

  private var result = WalletFinding.Result.publicPart
  private var hasPrivateKeys = false
  private let fingerprint: String

  /// Whether a file begins as one of these does.
  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    guard beginning.contains("\"xfp\"") else { return false }
    if beginning.contains("\"xpub\"") && beginning.contains("\"bip32Path\"") { return true }
    return beginning.contains("\"p2sh_deriv\"") || beginning.contains("\"p2sh_p2wsh_deriv\"")
      || beginning.contains("\"p2wsh_p2sh_deriv\"") || beginning.contains("\"p2wsh_deriv\"")
  }

  /// Reads a document; nil where it is none of these.
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
    if result == .publicPart { result = .faulty(fault) }
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

  /// What the keys are worth: they show one signer's part of the money, and not where it is.
  func finding(name: String) -> WalletFinding {
    let whole: WalletFinding.Result = hasPrivateKeys && result == .publicPart ? .proved(.wholeness) : result
    return WalletFinding(
      kind: MultisigCollector.kind, name: name, whole, detail: fingerprint, isInClear: hasPrivateKeys)
  }
}
