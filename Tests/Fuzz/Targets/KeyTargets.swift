internal import FuekiArchive
internal import FuekiCrypto

extension FuzzTarget {
  /// Shares in words, one per line.
  ///
  /// A line starting with a digit has numbers, from which a share with a correct checksum is built.
  static let slip39 = FuzzTarget("slip39") { bytes in
    var shares: [SLIP39Share] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(4) {
      let words = try words(of: Array(line))
      guard let share = try? SLIP39Share(words: words.bytes) else { continue }
      let spelled = try share.words()
      let again = try SLIP39Share(words: spelled.bytes).words()
      precondition(
        spelled.bytes.isEqualInConstantTime(to: again.bytes), "a share's words change when they are kept")
      shares.append(share)
    }
    // A higher exponent is deliberately slow.
    guard shares.allSatisfy({ $0.iterationExponent == 0 }) else { return }
    _ = try SLIP39.combine(shares, passphrase: try SecretBytes(count: 0))
  }

  private static func words(of line: [UInt8]) throws -> SharedSecret {
    guard let first = line.first, 0x30...0x39 ~= first else {
      return SharedSecret(try SecretBytes(copying: line.span))
    }
    var text = try SecretBytes(count: 9 * (line.count / 2 + 3))
    let end = text.withMutableBytes { text in
      var writer = WordWriter(isExtendable: first & 1 == 1)
      for place in stride(from: 1, to: line.count - 1, by: 2) {
        let number = UInt32(line[place]) << 8 | UInt32(line[place + 1])
        writer.write(number & 1023, wordCount: 1, to: &text)
      }
      return writer.finish(&text)
    }
    return SharedSecret(try text.copy(0..<end))
  }

  /// The line that stores the guardians' public part.
  static let guardians = FuzzTarget("guardians") { bytes in
    guard let guardians = GuardianSet(line: String(decoding: bytes, as: UTF8.self)) else { return }
    precondition(GuardianSet(line: guardians.line) == guardians, "guardians change when they are kept")
  }

  /// An identity file of age, and a recipient.
  static let age = FuzzTarget("age") { bytes in
    if let recipient = try? AgeKey.recipient(String(decoding: bytes, as: UTF8.self)) {
      let again = try AgeKey.recipient(AgeKey.text(recipient: recipient.key, recipient.form))
      precondition(again == recipient, "a recipient changes when it is kept")
    }
    let file = try SecretBytes(copying: bytes.span)
    _ = try? AgePluginRecipient(String(decoding: bytes, as: UTF8.self))
    for key in try AgeKey.identities(in: file).keys {
      let text = try AgeKey.identityText(key.key.bytes, key.form)
      let again = try AgeKey.identities(in: text.bytes).keys
      precondition(
        again.count == 1 && again[0].form == key.form
          && again[0].key.bytes.isEqualInConstantTime(to: key.key.bytes),
        "an identity changes when it is kept")
    }
  }
}
