internal import FuekiCrypto
internal import FuekiWallet

/// The classification of a file as a Web3 Secret Storage file.
///
/// Nothing is decrypted, and only public members are read.
package enum KeystoreDescription: Equatable {
  /// A file of version 3, and its problems.
  case keystore(address: String, kdf: String, problems: [String])
  /// A key in another format, kept without being read: a presale wallet, or a keystore of an earlier version.
  case earlier(format: String, address: String)
  /// Another kind of file, and whether it may still contain a key.
  case other(reason: String, mayHoldKey: Bool)

  /// Classifies a complete file.
  ///
  /// A damaged keystore is recognised by a name in geth's format.
  package init(_ bytes: [UInt8], name: [UInt8]) {
    do throws(JSONError) {
      self = Self.describe(try JSONDocument(bytes, limit: KeystoreCollector.byteCountLimit).root)
    } catch {
      // A damaged keystore is still worth keeping.
      let text = bytes.span
      guard Self.isKeystoreName(name) || text.contains("\"ciphertext\"") || text.contains("\"kdfparams\"")
      else {
        self = .other(reason: "not a keystore: \(error.sentence)", mayHoldKey: false)
        return
      }
      self = .keystore(address: "", kdf: "", problems: ["damaged: \(error.sentence)"])
    }
  }

  private static func describe(_ root: JSONValue) -> KeystoreDescription {
    if root.member("encseed")?.string != nil, let address = root.member("ethaddr")?.string {
      return .earlier(format: "ethereum-presale", address: text(of: address))
    }
    // Some wallets write "Crypto", and others accept any case.
    guard let crypto = root.children.first(where: { $0.name.lowercased() == "crypto" }),
      crypto.kind == .object
    else { return .other(reason: "JSON, but not a keystore", mayHoldKey: false) }
    let version = root.member("version")
    switch version?.number ?? version?.string {
    case "3", nil: break
    case let earlier? where earlier == "1" || earlier == "2":
      return .earlier(
        format: "web3-secret-storage-v\(earlier)", address: text(of: root.member("address")?.string ?? ""))
    case let other?:
      return .other(reason: "a keystore of version \(other.prefix(20)), not of version 3", mayHoldKey: true)
    }
    var problems: [String] = []
    if version?.number == nil { problems.append("its version is not the number 3") }
    let address = address(root.member("address"), &problems)
    KeystoreCheck.check(crypto, &problems)
    return .keystore(address: address, kdf: crypto.member("kdf")?.string ?? "", problems: problems)
  }

  /// Returns an address in its usual form; empty for invalid digits.
  private static func text(of digits: String) -> String {
    let bare = digits.hasPrefix("0x") || digits.hasPrefix("0X") ? digits.dropFirst(2) : digits[...]
    return Hex.decode(bare).flatMap { EVMAddress(bytes: $0) }?.description ?? ""
  }

  private static func address(_ member: JSONValue?, _ problems: inout [String]) -> String {
    guard let digits = member?.string else {
      problems.append("it has no address, and geth does not load it")
      return ""
    }
    let bare = digits.hasPrefix("0x") || digits.hasPrefix("0X") ? digits.dropFirst(2) : digits[...]
    guard let bytes = Hex.decode(bare), let address = EVMAddress(bytes: bytes) else {
      problems.append("its address has not 40 hexadecimal digits")
      return ""
    }
    if bytes.allSatisfy({ $0 == 0 }) { problems.append("its address is zero, which no key has") }
    return address.description
  }

  /// Whether a name has geth's format: `UTC--<time>--<40 digits>`.
  private static func isKeystoreName(_ name: [UInt8]) -> Bool {
    guard name.starts(with: "UTC--".utf8), name.count > 45 else { return false }
    return Hex.decode(String(decoding: name.suffix(40), as: UTF8.self)) != nil
  }
}
