import Crypto
import FoundationEssentials
import FuekiArchive
import FuekiCrypto
import FuekiSystem
import TestSupport
import Testing

/// One plugin used by two programs: this one, and Debian's age.
@Suite(
  .enabled(
    if: InstalledProgram.path("age") != nil && InstalledProgram.path("python3") != nil,
    "no age, or no python3, on this machine"))
struct PluginInteropTests {
  private static func age(
    _ arguments: [String], in folder: borrowing TemporaryDirectory
  ) throws -> RunResult {
    let age = try #require(InstalledProgram.path("age"))
    return try BuiltBinary.run(
      program: age, arguments, environment: ["PATH": "\(SourceTree.path)/Tests/Plugins:/usr/bin:/bin"],
      cwd: folder.path)
  }

  @Test func `a stanza that age had made opens here`() throws {
    let folder = try TemporaryDirectory()
    let plugin = try TestPlugin("honest")
    try folder.write(Array("twenty years".utf8), to: "plain")
    let made = try Self.age(["-r", plugin.recipientText, "-o", "sealed", "plain"], in: folder)
    try #require(made.status == 0, "\(made.errors)")
    let file = AgeFile(try folder.open().openFile("sealed").readAll(limit: 1 << 16))
    let key = try #require(try plugin.identity().fileKeys(of: [file.parameters]).first)
    #expect(file.isMade(with: key))
    #expect(try file.payload(with: key) == Array("twenty years".utf8))
  }

  @Test func `a stanza that was made here opens with age`() throws {
    let folder = try TemporaryDirectory()
    let plugin = try TestPlugin("honest")
    let wrapped = try plugin.recipient().wrap(.system)
    let key = wrapped.secret.bytes.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    try folder.write(
      try AgeFile.sealed(Array("twenty years".utf8), with: key, wrapped.parameters), to: "sealed")
    try folder.write(Array("\(plugin.identityText)\n".utf8), to: "identity")
    let opened = try Self.age(["-d", "-i", "identity", "sealed"], in: folder)
    #expect(opened.status == 0 && opened.text == "twenty years", "\(opened.errors)")
  }
}

/// The part of age's format that a small file with a plugin's stanza needs.
private struct AgeFile {
  let header: [UInt8]
  let mac: [UInt8]
  let body: [UInt8]
  let stanza: (arguments: [String], body: [UInt8])

  init(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(4).map(String.init)
    header = Array("\(lines[0])\n\(lines[1])\n\(lines[2])\n---".utf8)
    mac = Self.base64(String(lines[3].dropFirst(4)))
    body = Array(bytes.dropFirst(header.count + lines[3].utf8.count - 3 + 1))
    stanza = (lines[1].split(separator: " ").dropFirst().map(String.init), Self.base64(lines[2]))
  }

  /// The stanza in a slot's encoding.
  var parameters: [UInt8] {
    var bytes: [UInt8] = [1, UInt8(stanza.arguments.count)]
    for argument in stanza.arguments {
      bytes += [UInt8(argument.utf8.count & 255), UInt8(argument.utf8.count >> 8)] + Array(argument.utf8)
    }
    return bytes + [UInt8(stanza.body.count & 255), UInt8(stanza.body.count >> 8)] + stanza.body
  }

  func isMade(with key: [UInt8]) -> Bool { Self.mac(header, key) == mac }

  func payload(with key: [UInt8]) throws -> [UInt8] {
    let chunk = body.dropFirst(16)
    let box = try ChaChaPoly.SealedBox(
      nonce: Self.lastNonce, ciphertext: chunk.dropLast(16), tag: chunk.suffix(16))
    return Array(try ChaChaPoly.open(box, using: Self.payloadKey(key, Array(body.prefix(16)))))
  }

  static func sealed(_ plaintext: [UInt8], with key: [UInt8], _ parameters: [UInt8]) throws -> [UInt8] {
    var place = 2
    func text() -> String {
      let count = Int(parameters[place]) | Int(parameters[place + 1]) << 8
      defer { place += 2 + count }
      return String(decoding: parameters[place + 2..<place + 2 + count], as: UTF8.self)
    }
    let arguments = (0..<parameters[1]).map { _ in text() }
    let body = base64(Array(parameters[(place + 2)...]))
    let header = Array(
      "age-encryption.org/v1\n-> \(arguments.joined(separator: " "))\n\(body)\n---".utf8)
    let salt = (0..<16).map { UInt8($0) }
    let box = try ChaChaPoly.seal(plaintext, using: payloadKey(key, salt), nonce: lastNonce)
    return header + Array(" \(base64(mac(header, key)))\n".utf8) + salt + Array(box.ciphertext)
      + Array(box.tag)
  }

  private static var lastNonce: ChaChaPoly.Nonce {
    get throws { try ChaChaPoly.Nonce(data: [UInt8](repeating: 0, count: 11) + [1]) }
  }

  private static func payloadKey(_ key: [UInt8], _ salt: [UInt8]) -> SymmetricKey {
    Crypto.HKDF<Crypto.SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: key), salt: salt, info: Array("payload".utf8), outputByteCount: 32)
  }

  private static func mac(_ header: [UInt8], _ key: [UInt8]) -> [UInt8] {
    let derived = Crypto.HKDF<Crypto.SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: key), salt: [UInt8](), info: Array("header".utf8),
      outputByteCount: 32)
    return Array(HMAC<Crypto.SHA256>.authenticationCode(for: header, using: derived))
  }

  private static func base64(_ text: String) -> [UInt8] {
    let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
    return Data(base64Encoded: text + padding).map(Array.init) ?? []
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().filter { $0 != "=" }
  }
}
