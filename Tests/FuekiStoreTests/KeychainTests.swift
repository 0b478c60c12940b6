import FoundationEssentials
import FuekiCrypto
import FuekiStore
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

@Suite struct KeychainTests {
  @Test func `what was put in comes out, by each of its secrets`() throws {
    let scratch = try TemporaryDirectory()
    let keyFile = try Samples.secret(String(repeating: "k", count: 32))
    let editor = try KeychainEditor(slots: [try Cheap.slot("p"), .keyFile(keyFile)])
    try editor.add(share: Samples.descriptor(1), secret: try Samples.secret("one").bytes)
    try editor.add(share: Samples.descriptor(2), secret: try Samples.secret("").bytes)
    let key = PrivateKeyRecord(
      id: [UInt8](repeating: 3, count: 16), walletID: Samples.id(1), kind: "private-key", name: "é",
      secret: try Samples.secret("key"), createdAt: -1)
    try editor.add(key)
    let part = SecretFilePart(
      id: [UInt8](repeating: 4, count: 16), source: "lnd", path: Array("x".utf8), offset: 0, total: 1,
      content: try Samples.secret("!"))
    try part.encoded().withBytes { try editor.add(secretFileRecord: $0, in: scratch.path) }
    let stamp = try editor.write(in: scratch.path)
    #expect(stamp.generation == 1)
    #expect(try scratch.open().list().compactMap(\.text).sorted() == ["keychain.sealed", "secret-files"])
    #expect(try File.open(scratch.path("keychain.sealed")).permissions() == 0o600)

    for opening in [try Cheap.opening("p"), KeychainOpening([.keyFile(keyFile)])] {
      let keychain = try Keychain.read(scratch.path, with: opening)
      #expect(keychain.stamp == stamp)
      #expect(keychain.shares.map(\.descriptor) == [Samples.descriptor(1), Samples.descriptor(2)])
      #expect(keychain.shares[0].secret.bytes.isEqualInConstantTime(to: try Samples.secret("one").bytes))
      #expect(keychain.shares[1].secret.bytes.count == 0)
      #expect(try keychain.privateKeys().map(\.name) == ["é"])
      var isSame: [Bool] = []
      try keychain.forEachSecretFileRecord {
        isSame.append($0.isEqualInConstantTime(to: try part.encoded()))
      }
      #expect(isSame == [true])
    }
  }

  @Test func `each write is a generation of its own`() throws {
    let scratch = try TemporaryDirectory()
    #expect(try Keychain.currentStamp(in: scratch.path) == nil)
    let editor = try KeychainEditor(slots: [try Cheap.slot("p")])
    let first = try editor.write(in: scratch.path)
    let keychain = try Keychain.read(scratch.path, with: try Cheap.opening("p"))
    let next = KeychainEditor(editing: keychain)
    try next.add(share: Samples.descriptor(1), secret: try Samples.secret("s").bytes)
    let second = try next.write(in: scratch.path)
    #expect(second.generation == 2 && first != second)
    #expect(try Keychain.currentStamp(in: scratch.path) == second)
    #expect(throws: KeychainError.changedMeanwhile(path: scratch.path("keychain.sealed"))) {
      try KeychainEditor(editing: keychain).write(in: scratch.path)
    }
    #expect(throws: KeychainError.alreadyThere(path: scratch.path("keychain.sealed"))) {
      try KeychainEditor(slots: [try Cheap.slot("p")]).write(in: scratch.path)
    }
  }

  @Test func `slots are added, and replaced with a new key`() throws {
    let scratch = try TemporaryDirectory()
    let editor = try KeychainEditor(slots: [try Cheap.slot("p")])
    try editor.addSlot(try Cheap.slot("q"))
    try editor.write(in: scratch.path)
    let keychain = try Keychain.read(scratch.path, with: try Cheap.opening("q"))
    let next = KeychainEditor(editing: keychain)
    try next.replaceSlots(with: [try Cheap.slot("r")])
    try next.write(in: scratch.path)
    _ = try Keychain.read(scratch.path, with: try Cheap.opening("r"))
    #expect(throws: KeychainError.wrongSecret) {
      try Keychain.read(scratch.path, with: try Cheap.opening("p"))
    }
    #expect(throws: KeychainError.slotCount(0)) { try KeychainEditor(slots: []) }
    for _ in 0..<7 { try next.addSlot(try Cheap.slot("s")) }
    #expect(throws: KeychainError.slotCount(9)) { try next.addSlot(try Cheap.slot("t")) }
  }

  @Test func `the wrong secret, no secret and no keychain are told apart`() throws {
    let scratch = try TemporaryDirectory()
    #expect(throws: KeychainError.notThere(path: scratch.path("keychain.sealed"))) {
      try Keychain.read(scratch.path, with: try Cheap.opening("p"))
    }
    try KeychainEditor(slots: [try Cheap.slot("p")]).write(in: scratch.path)
    #expect(throws: KeychainError.wrongSecret) {
      try Keychain.read(scratch.path, with: try Cheap.opening("q"))
    }
    #expect(throws: KeychainError.missingSecret) {
      try Keychain.read(scratch.path, with: KeychainOpening([]))
    }
    let keyFile = KeychainSecret.keyFile(try Samples.secret(String(repeating: "k", count: 32)))
    #expect(throws: KeychainError.missingSecret) {
      try Keychain.read(scratch.path, with: KeychainOpening([keyFile]))
    }
  }

  @Test func `a cost beyond the limits is refused before it is paid`() throws {
    let scratch = try TemporaryDirectory()
    try KeychainEditor(slots: [try Cheap.slot("p")]).write(in: scratch.path)
    let strict = KeychainOpening([.passphrase(try Samples.secret("p"))])
    #expect(throws: KeychainError.overLimit(path: scratch.path("keychain.sealed"))) {
      try Keychain.read(scratch.path, with: strict)
    }
  }

  @Test func `a newer version is named, and its number alone is not believed`() throws {
    let scratch = try TemporaryDirectory()
    try KeychainEditor(slots: [try Cheap.slot("p")]).write(in: scratch.path)
    var bytes = try scratch.read("keychain.sealed")
    bytes[8] = 3
    try put(bytes, in: scratch.path)
    #expect(throws: KeychainError.damaged(path: scratch.path("keychain.sealed"))) {
      try Keychain.read(scratch.path, with: try Cheap.opening("p"))
    }
    try put(rehashed(bytes), in: scratch.path)
    #expect(throws: KeychainError.newer(version: 3, path: scratch.path("keychain.sealed"))) {
      try Keychain.read(scratch.path, with: try Cheap.opening("p"))
    }
  }
}

@Suite struct KeychainDamageTests {
  @Test func `a keychain with any byte flipped does not open`() throws {
    let scratch = try TemporaryDirectory()
    let bytes = try sample(in: scratch.path)
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 1 << UInt8(place % 8)
      try put(damaged, in: scratch.path)
      #expect(throws: KeychainError.damaged(path: scratch.path("keychain.sealed")), "byte \(place)") {
        try Keychain.read(scratch.path, with: try Cheap.opening("p"))
      }
    }
  }

  @Test func `an altered keychain with a new hash does not open either`() throws {
    let scratch = try TemporaryDirectory()
    let bytes = try sample(in: scratch.path)
    let opening = try Cheap.opening("p")
    for place in bytes.dropLast(32).indices {
      for bit in [place % 8, (place + 3) % 8] {
        var forged = bytes
        forged[place] ^= 1 << UInt8(bit)
        try put(rehashed(forged), in: scratch.path)
        // With a flipped bit, the cost of 8 KiB and one pass is refused or still cheap.
        #expect(throws: KeychainError.self, "byte \(place)") {
          try Keychain.read(scratch.path, with: opening)
        }
      }
    }
  }

  @Test func `a keychain that is cut or has something behind it does not open`() throws {
    let scratch = try TemporaryDirectory()
    let bytes = try sample(in: scratch.path)
    let opening = try Cheap.opening("p")
    for length in bytes.indices {
      for cut in [Array(bytes[..<length]), rehashed(Array(bytes[..<length]))] {
        try put(cut, in: scratch.path)
        #expect(throws: KeychainError.self, "length \(length)") {
          try Keychain.read(scratch.path, with: opening)
        }
        _ = try? Keychain.currentStamp(in: scratch.path)
      }
    }
    for longer in [bytes + [0], rehashed(bytes + [UInt8](repeating: 0, count: 32))] {
      try put(longer, in: scratch.path)
      #expect(throws: KeychainError.self) { try Keychain.read(scratch.path, with: opening) }
    }
  }

  @Test func `items of another write cannot be put in`() throws {
    let scratch = try TemporaryDirectory()
    let first = try sample(in: scratch.path)
    let keychain = try Keychain.read(scratch.path, with: try Cheap.opening("p"))
    try KeychainEditor(editing: keychain).write(in: scratch.path)
    let second = try scratch.read("keychain.sealed")
    #expect(first.count == second.count)
    // The second write's head and slots with the first write's items and seal.
    let mixed = Array(second[..<(56 + 105)] + first[(56 + 105)...])
    try put(rehashed(mixed), in: scratch.path)
    #expect(throws: KeychainError.damaged(path: scratch.path("keychain.sealed"))) {
      try Keychain.read(scratch.path, with: try Cheap.opening("p"))
    }
  }

  private func sample(in directory: String) throws -> [UInt8] {
    let editor = try KeychainEditor(slots: [try Cheap.slot("p")])
    try editor.add(share: Samples.descriptor(1), secret: try Samples.secret("secret").bytes)
    try editor.add(share: Samples.descriptor(2), secret: try Samples.secret("other").bytes)
    try editor.write(in: directory)
    return try File.open("\(directory)/keychain.sealed").readAll(limit: 1 << 20)
  }
}

/// Replaces a keychain file's bytes.
func put(_ bytes: [UInt8], in directory: String) throws {
  let folder = try Directory.open(directory)
  if try folder.contains("keychain.sealed") { try folder.remove("keychain.sealed") }
  try folder.createFile("keychain.sealed").pwriteAll(bytes, at: 0)
}

/// Returns the bytes with their trailing hash recomputed.
func rehashed(_ bytes: [UInt8]) -> [UInt8] {
  guard bytes.count >= 32 else { return bytes }
  return Array(bytes.dropLast(32)) + SHA256.hash(Array(bytes.dropLast(32))).bytes
}
