internal import FuekiCrypto
internal import FuekiWallet

/// Checks the encrypted part of a Web3 Secret Storage file.
///
/// Wallets cannot decrypt a file that breaks these rules. Whether they can decrypt the others, only the
/// passphrase would show.
enum KeystoreCheck {
  static func check(_ crypto: JSONValue, _ problems: inout [String]) {
    func note(unless isRight: Bool, _ problem: String) {
      if !isRight { problems.append(problem) }
    }
    let cipher = crypto.member("cipher")?.string
    note(unless: cipher == "aes-128-ctr", "its cipher is not aes-128-ctr")
    note(unless: byteCount(crypto.member("cipherparams")?.member("iv")) == 16, "its iv has not 16 bytes")
    note(unless: 1...32 ~= byteCount(crypto.member("ciphertext")), "its ciphertext has not up to 32 bytes")
    note(unless: byteCount(crypto.member("mac")) == 32, "its mac has not 32 bytes")
    let parameters = crypto.member("kdfparams")
    note(unless: byteCount(parameters?.member("salt")) > 0, "it has no salt")
    note(unless: number(parameters, "dklen") >= 32, "its derived key has not at least 32 bytes")
    switch crypto.member("kdf")?.string {
    case "scrypt":
      let cost = number(parameters, "n")
      note(unless: cost > 1 && cost & (cost - 1) == 0, "its scrypt cost is not a power of two")
      note(unless: number(parameters, "r") > 0, "it has no scrypt block size")
      note(unless: number(parameters, "p") > 0, "it has no scrypt parallelism")
    case "pbkdf2":
      note(unless: number(parameters, "c") > 0, "it has no count of PBKDF2 rounds")
      note(unless: parameters?.member("prf")?.string == "hmac-sha256", "its PBKDF2 is not of HMAC-SHA-256")
    default: problems.append("its key derivation is neither scrypt nor pbkdf2")
    }
  }

  /// Whether each scheme stated in a file is defined by the standard.
  ///
  /// Some wallets use their own ciphers and derivations in this format: such a file counts as valid as far as
  /// known. A file that omits a scheme is damaged.
  static func isKnownScheme(_ crypto: JSONValue) -> Bool {
    let function = crypto.member("kdf")?.string
    let random = function == "pbkdf2" ? crypto.member("kdfparams")?.member("prf")?.string : nil
    return [nil, "aes-128-ctr"].contains(crypto.member("cipher")?.string)
      && [nil, "scrypt", "pbkdf2"].contains(function) && [nil, "hmac-sha256"].contains(random)
  }

  /// Returns the number of bytes in a hexadecimal text; -1 for any other value.
  private static func byteCount(_ value: JSONValue?) -> Int {
    guard let text = value?.string, let bytes = Hex.decode(text) else { return -1 }
    return bytes.count
  }

  /// Returns a small whole number; -1 for any other value.
  private static func number(_ parameters: JSONValue?, _ name: String) -> Int {
    guard let digits = parameters?.member(name)?.number else { return -1 }
    return Int(digits) ?? -1
  }
}
