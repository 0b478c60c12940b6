internal import FoundationEssentials
internal import FuekiCompression
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Decodes an Electrum wallet file layer by layer: encryption, compression, syntax, appended changes.
enum ElectrumText {
  static let byteCountLimit = ImportLimits.walletByteCount
  private static let iterations = 1024

  /// The encryption of a file as a whole.
  enum Encryption {
    case none
    case passphrase
    /// With a key that only the hardware wallet has.
    case device
  }

  /// A parsed wallet, and problems found in parsing.
  struct Wallet {
    let root: GuardedValue
    var notes: [String] = []
  }

  /// Returns the encryption by the first bytes.
  ///
  /// The rest is checked when the file is opened.
  static func encryption(of bytes: Span<UInt8>) -> Encryption {
    // "BIE1" and "BIE2" in base64.
    func begins(with text: StaticString) -> Bool {
      let wanted = Array("\(text)".utf8)
      return bytes.count > wanted.count && wanted.indices.allSatisfy { bytes[$0] == wanted[$0] }
    }
    if begins(with: "QklFMQ") { return .passphrase }
    return begins(with: "QklFMg") ? .device : .none
  }

  /// Whether a file's first bytes look like a wallet's.
  static func isLikely(_ bytes: Span<UInt8>) -> Bool {
    if case .none = encryption(of: bytes) {
      return bytes.contains("\"seed_version\"") || bytes.contains("'seed_version'")
        || bytes.contains("\"use_encryption\"") || bytes.contains("'use_encryption'")
        || bytes.contains("\"wallet_type\"") || bytes.contains("\"master_public_keys\"")
        // The first members of a large wallet are long.
        || bytes.contains("\"addr_history\"")
    }
    return true
  }

  /// Decrypts and decompresses a complete file.
  static func decrypted(
    _ bytes: borrowing SecretBytes, _ passphrase: SharedSecret, file: String
  ) throws -> SecretBytes {
    // The ciphertext is not secret.
    let text = bytes.withBytes { bytes in bytes.copied() }
    let end = text.lastIndex { ![0x20, 0x0A, 0x0D].contains($0) } ?? -1
    guard let message = Data(base64Encoded: Data(text.prefix(end + 1))) else {
      throw ForeignFileError.notThisFormat(reason: "\(file) is encrypted, and damaged or cut off")
    }
    do {
      let noSalt = try SecretBytes(count: 0)
      let derived = try PBKDF2.derive(
        from: passphrase.bytes, salt: noSalt, iterations: iterations, count: SHA512.byteCount, hash: .sha512)
      let key = try ECIES.key(reducing: derived)
      let packed = try ECIES.open(message.span, key: key)
      return try inflated(packed, file: file)
    } catch CryptoError.notAuthentic {
      throw ForeignFileError.wrongPassphrase(file: file)
    } catch CryptoError.invalidLength, CryptoError.invalidPoint {
      throw ForeignFileError.notThisFormat(reason: "\(file) is encrypted, and damaged or cut off")
    }
  }

  private static func inflated(_ packed: borrowing SecretBytes, file: String) throws -> SecretBytes {
    // The decompressed size is not stated. DEFLATE's own limit is a thousand to one.
    var room = max(packed.count * 4, 1 << 16)
    while true {
      var output = try SecretBytes(count: min(room, byteCountLimit))
      let count: Int
      do throws(CompressionError) {
        count = try packed.withBytes { (packed) throws(CompressionError) in
          try output.withMutableBytes { (output) throws(CompressionError) in
            try Inflate.decode(packed, wrapping: .zlib, into: &output)
          }
        }
      } catch .wrongLength {
        guard room < byteCountLimit else {
          throw ForeignFileError.overLimit(reason: "\(file) holds more than any such file")
        }
        room *= 4
        continue
      } catch {
        throw ForeignFileError.notThisFormat(reason: "\(file) opens, but does not decompress")
      }
      return try output.copy(0..<count)
    }
  }

  /// Parses a wallet that is not encrypted as a whole.
  static func wallet(_ bytes: borrowing SecretBytes, file: String) throws -> Wallet {
    do {
      return try patched(try wrapped(bytes, count: bytes.count), file)
    } catch let error as JSONError {
      if case .truncated = error, let end = lastChange(in: bytes) {
        var wallet = try shortened(bytes, end, file)
        wallet.notes.append("its last change was cut off while it was written, and is left out")
        return wallet
      }
      if case .tooManyValues = error { throw error.asForeign("\(file): ") }
      if let wallet = try? python(bytes) { return wallet }
      throw error.asForeign("\(file) is no wallet of Electrum: ")
    }
  }

  private static func shortened(
    _ bytes: borrowing SecretBytes, _ end: Int, _ file: String
  ) throws -> Wallet {
    do {
      return try patched(try wrapped(bytes, count: end), file)
    } catch let error as JSONError {
      throw error.asForeign("\(file) is no wallet of Electrum: ")
    }
  }

  private static func python(_ bytes: borrowing SecretBytes) throws -> Wallet {
    let json = try bytes.withBytes { try PythonLiteral.json($0) }
    return Wallet(root: try GuardedDocument(json, limit: 2 * byteCountLimit).root)
  }

  /// Wraps the wallet and the changes appended to it in brackets, which makes them one array.
  private static func wrapped(
    _ bytes: borrowing SecretBytes, count: Int
  ) throws(JSONError) -> GuardedDocument {
    // A change is always followed by a comma.
    let end = bytes.withBytes { bytes in
      var end = count
      while end > 0, [0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ",")].contains(bytes[end - 1]) { end -= 1 }
      return end
    }
    guard var array = try? SecretBytes(count: end + 2) else { throw .tooLong(byteCount: end) }
    bytes.withBytes { bytes in
      array.withMutableBytes { output in
        output[0] = UInt8(ascii: "[")
        output.write(bytes.extracting(first: end), at: 1)
        output[end + 1] = UInt8(ascii: "]")
      }
    }
    return try GuardedDocument(array, limit: byteCountLimit + 2)
  }

  private static func patched(_ document: GuardedDocument, _ file: String) throws -> Wallet {
    let parts = document.root.elements
    guard var root = parts.first, root.kind == .object else { throw JSONError.unexpected(offset: 0) }
    var failures = 0
    var patches = JSONPatch()
    for patch in parts.dropFirst() {
      if !patches.apply(patch, to: &root) { failures += 1 }
      guard patches.movedElements <= ImportLimits.movedElements else {
        throw ForeignFileError.overLimit(
          reason: "\(file): its appended changes move more of its lists about than any wallet's")
      }
    }
    var wallet = Wallet(root: root)
    if failures > 0 { wallet.notes.append("\(failures) of its appended changes do not fit what is there") }
    return wallet
  }

  /// Returns the start of the last appended change: after a comma at the end of a line.
  private static func lastChange(in bytes: borrowing SecretBytes) -> Int? {
    bytes.withBytes { bytes in
      var place = bytes.count - 1
      while place > 0 {
        if bytes[place] == 0x0A, bytes[place - 1] == UInt8(ascii: ",") {
          // Lines inside an object end with a comma too, but a change contains an operation.
          return bytes.extracting(place..<bytes.count).contains("{\"op\"") || place == bytes.count - 1
            ? place - 1 : nil
        }
        place -= 1
      }
      return nil
    }
  }
}

/// The changes that Electrum appends to its file instead of rewriting it; see RFC 6902.
struct JSONPatch {
  /// The number of list elements moved by insertions and removals.
  private(set) var movedElements = 0

  /// Applies a change: `add`, `replace` or `remove`, the only ones that Electrum writes.
  ///
  /// - Returns: whether the change fits the value.
  mutating func apply(_ patch: GuardedValue, to value: inout GuardedValue) -> Bool {
    guard let operation = patch.member("op")?.string, let path = patch.member("path")?.string else {
      return false
    }
    let steps = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
      String($0).replacing("~1", with: "/").replacing("~0", with: "~")
    }
    guard !steps.isEmpty, steps.count <= JSONOutline.depthLimit else { return false }
    switch operation {
    case "add", "replace":
      guard let new = patch.member("value") else { return false }
      return change(&value, steps[...], to: new, inserts: operation == "add")
    case "remove": return change(&value, steps[...], to: nil, inserts: false)
    default: return false
    }
  }

  private mutating func change(
    _ value: inout GuardedValue, _ steps: ArraySlice<String>, to new: GuardedValue?, inserts: Bool
  ) -> Bool {
    guard let step = steps.first else { return false }
    let rest = steps.dropFirst()
    switch value.kind {
    case .object:
      let name = ExactText(step)
      var members = value.takeMembers()
      defer { value.content = .object(members) }
      guard rest.isEmpty else {
        // Removed and reinserted, so that it is changed in place.
        guard var child = members.removeValue(forKey: name) else { return false }
        defer { members[name] = child }
        return change(&child, rest, to: new, inserts: inserts)
      }
      guard new != nil || members[name] != nil else { return false }
      members[name] = new
      return true
    case .array:
      var elements = value.takeElements()
      defer { value.content = .array(elements) }
      let index = step == "-" ? elements.count : Int(step) ?? -1
      guard rest.isEmpty else {
        guard elements.indices.contains(index) else { return false }
        return change(&elements[index], rest, to: new, inserts: inserts)
      }
      if inserts, let new, 0...elements.count ~= index {
        movedElements += elements.count - index
        elements.insert(new, at: index)
        return true
      }
      guard elements.indices.contains(index) else { return false }
      if let new {
        elements[index] = new
      } else {
        elements.remove(at: index)
        movedElements += elements.count - index
      }
      return true
    default: return false
    }
  }
}

extension GuardedValue {
  fileprivate mutating func takeMembers() -> [ExactText: GuardedValue] {
    if case .object(let members) = content {
      content = .array([])
      return members
    }
    return Dictionary(members.map { (ExactText($0.name), $0.value) }) { $1 }
  }

  fileprivate mutating func takeElements() -> [GuardedValue] {
    let elements = self.elements
    content = .object([:])
    return elements
  }
}
