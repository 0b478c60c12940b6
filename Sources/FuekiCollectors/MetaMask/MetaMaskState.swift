internal import FuekiCrypto
package import FuekiWallet

/// The unencrypted part of MetaMask's state: its encrypted vault, and the accounts shown.
///
/// It may be a vault alone, the extension's or the app's complete state, or JSON in a string of another
/// document.
package struct MetaMaskState {
  /// The EVM addresses in display order, the selected one first.
  package private(set) var addresses: [EVMAddress] = []
  private var known: Set<EVMAddress> = []
  /// The names given by their owner.
  private(set) var names: [EVMAddress: String] = [:]
  /// The encrypted part.
  private(set) var vault: MetaMaskVault?
  /// Whether it contains an unencrypted seed phrase, as in old browsers.
  private(set) var hasClearSeed = false

  /// The limit of nesting in the search for states.
  private static let depth = 6
  private static let textByteCountLimit = 64 << 20

  /// Parses a document; nil if it is not MetaMask's.
  package init?(reading bytes: [UInt8]) {
    guard let root = try? JSONDocument(bytes, limit: Self.textByteCountLimit).root else { return nil }
    take(root, Self.depth)
    guard vault != nil || !addresses.isEmpty || hasClearSeed else { return nil }
  }

  /// Creates a state from separately stored controllers.
  init?(controllers: [[UInt8]]) {
    for bytes in controllers {
      guard let root = try? JSONDocument(bytes, limit: Self.textByteCountLimit).root else { continue }
      take(root, Self.depth)
      takeController(root, Self.depth)
    }
    guard vault != nil || !addresses.isEmpty else { return nil }
  }

  private mutating func take(_ value: JSONValue, _ depth: Int) {
    guard depth > 0 else { return }
    if let text = value.string { return take(text: text, depth) }
    guard value.kind == .object else { return }
    if let found = MetaMaskVault(value) {
      vault = vault ?? found
      return
    }
    if let seed = value.member("wallet-seed")?.string, !seed.isEmpty { hasClearSeed = true }
    for name in ["data", "engine", "backgroundState", "metamask", "state"] {
      if let inner = value.member(name) { take(inner, depth - 1) }
    }
    for name in ["PreferencesController", "AccountsController", "KeyringController"] {
      if let controller = value.member(name) { takeController(controller, depth - 1) }
    }
    // State logs merge all controllers' members in one object.
    takeController(value, depth)
  }

  private mutating func take(text: String, _ depth: Int) {
    let bytes = Array(text.utf8)
    guard bytes.first == UInt8(ascii: "{"),
      let root = try? JSONDocument(bytes, limit: Self.textByteCountLimit).root
    else { return }
    take(root, depth - 1)
  }

  private mutating func takeController(_ controller: JSONValue, _ depth: Int) {
    if let text = controller.member("vault") { take(text, depth) }
    if let selected = controller.member("selectedAddress")?.string { add(selected, "") }
    if let identities = controller.member("identities"), identities.kind == .object {
      for entry in identities.children { add(entry.name, entry.member("name")?.string ?? "") }
    }
    if let accounts = controller.member("internalAccounts")?.member("accounts"), accounts.kind == .object {
      for account in accounts.children {
        add(
          account.member("address")?.string ?? "",
          account.member("metadata")?.member("name")?.string ?? "")
      }
    }
  }

  private mutating func add(_ text: String, _ name: String) {
    guard let address = try? EVMAddress(text) else { return }
    if addresses.count < 4096, known.insert(address).inserted { addresses.append(address) }
    if !name.isEmpty { names[address] = name }
  }
}
