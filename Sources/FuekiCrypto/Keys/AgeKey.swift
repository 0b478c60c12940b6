/// Keys in age's text format, so that people can use the keys they have.
///
/// See the age specification (C2SP), sections "The X25519 recipient type" and "The hybrid recipient type".
public enum AgeKey {
  /// Reads a public key: `age1…` in all lower or all upper case, or `age1pq1…` in lower case.
  ///
  /// - Throws: ``AgeKeyError/recipient(_:)``.
  public static func recipient(_ text: String) throws(AgeKeyError) -> AgeRecipient {
    let characters = Array(text.utf8)
    let small = characters.map(Bech32Code.small)
    // Both prefixes match a hybrid key. The longer one, which comes last, is right.
    let form = AgeKeyForm.allCases.last { small.starts(with: $0.recipientPart + [Bech32Code.separator]) }
    guard let form, form == .x25519 || characters == small else { throw .recipient(.otherKind) }
    var key = [UInt8](repeating: 0, count: form.recipientByteCount)
    do throws(AgeKeyError.Problem) {
      var output = key.mutableSpan
      try AgeText.decode(characters.span, readableCount: form.recipientPart.count, into: &output)
    } catch {
      throw .recipient(error)
    }
    return AgeRecipient(form: form, key: key)
  }

  /// Writes a public key, such as `age1…`.
  public static func text(recipient: [UInt8], _ form: AgeKeyForm) -> String {
    precondition(recipient.count == form.recipientByteCount, "a public key has the length of its kind")
    let part = form.recipientPart
    var text = [UInt8](repeating: 0, count: AgeText.length(of: recipient.count, behind: part))
    var output = text.mutableSpan
    AgeText.encode(recipient.span, readablePart: part.span, into: &output)
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads an identity file: keys and plugins' identities in their order, skipping comments and empty lines.
  ///
  /// - Throws: ``AgeKeyError``. An unusable line is an error and not skipped, because the user expects it to
  ///   be tried.
  public static func identities(in file: borrowing SecretBytes) throws(AgeKeyError) -> AgeIdentityFile {
    let found = try file.withBytes { (file) throws(AgeKeyError) in
      var found = AgeIdentityFile()
      var line = 0
      var start = 0
      while start < file.count {
        line += 1
        var end = start
        while end < file.count, file[end] != UInt8(ascii: "\n") { end += 1 }
        let next = end + 1
        if end > start, file[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        let text = file.extracting(start..<end)
        start = next
        if text.isEmpty || text[0] == UInt8(ascii: "#") { continue }
        let isEncrypted =
          AgeText.begins(text, with: Array("age-encryption.org/".utf8))
          || AgeText.begins(text, with: Array("-----BEGIN AGE ".utf8))
        if line == 1, isEncrypted { throw .encryptedFile }
        if AgeText.begins(text, with: AgePluginIdentity.beginning) {
          found.plugins.append(try pluginIdentity(text, line: line))
        } else {
          found.keys.append(try identity(text, line: line))
        }
      }
      return found
    }
    guard !found.keys.isEmpty || !found.plugins.isEmpty else { throw .noIdentity }
    return found
  }

  /// Writes a private key, such as `AGE-SECRET-KEY-1…`, without a line end.
  ///
  /// - Throws: ``CryptoError/invalidKey`` if the key is not 32 bytes, or the errors of
  ///   ``SecretBytes/init(count:)``.
  public static func identityText(
    _ key: borrowing SecretBytes, _ form: AgeKeyForm
  ) throws(CryptoError) -> SharedSecret {
    guard key.count == AgeKeyForm.identityByteCount else { throw .invalidKey }
    let part = form.identityPart
    var text = try SecretBytes(count: AgeText.length(of: key.count, behind: part))
    text.withMutableBytes { text in
      key.withBytes { key in AgeText.encode(key, readablePart: part.span, into: &text) }
      for index in text.indices where 0x61...0x7a ~= text[index] { text[index] &= 0xdf }
    }
    return SharedSecret(text)
  }

  private static func pluginIdentity(
    _ text: Span<UInt8>, line: Int
  ) throws(AgeKeyError) -> AgePluginIdentity {
    do {
      return try AgePluginIdentity(text)
    } catch let problem as AgeKeyError.Problem {
      throw .identity(line: line, problem)
    } catch let error as CryptoError {
      throw .crypto(error)
    } catch {
      throw .crypto(.unavailable)
    }
  }

  private static func identity(_ text: Span<UInt8>, line: Int) throws(AgeKeyError) -> AgeIdentity {
    let form = AgeKeyForm.allCases.last {
      AgeText.begins(text, with: $0.identityPart + [Bech32Code.separator])
    }
    guard let form else { throw .identity(line: line, .otherKind) }
    do {
      let key = try SecretBytes(count: AgeKeyForm.identityByteCount) { (key) throws(AgeKeyError.Problem) in
        try AgeText.decode(text, readableCount: form.identityPart.count, into: &key)
      }
      return AgeIdentity(form, SharedSecret(key))
    } catch let problem as AgeKeyError.Problem {
      throw .identity(line: line, problem)
    } catch let error as CryptoError {
      throw .crypto(error)
    } catch {
      throw .crypto(.unavailable)
    }
  }
}
