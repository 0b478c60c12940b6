/// An age stanza as stored in a slot of type 7 (fueki-archive(5), SLOTS).
struct PluginStanza: Equatable, Sendable {
  static let argumentLimit = 16
  static let argumentBytes = 1...2048
  static let bodyBytes = 0...4096

  /// The first is the stanza's type.
  let arguments: [[UInt8]]
  let body: [UInt8]

  /// Nil if a slot may not hold it.
  init?(arguments: [[UInt8]], body: [UInt8]) {
    guard 1...Self.argumentLimit ~= arguments.count, Self.bodyBytes ~= body.count,
      arguments.allSatisfy(Self.isArgument)
    else { return nil }
    self.arguments = arguments
    self.body = body
  }

  static func isArgument(_ bytes: [UInt8]) -> Bool {
    argumentBytes ~= bytes.count && bytes.allSatisfy { 0x21...0x7e ~= $0 }
  }
}

/// Parameters of slot type 7: a plugin's stanzas for one file key.
package struct PluginParameters: Equatable, Sendable {
  static let stanzaCounts = 1...4
  static let mostBytes = 16_384

  let stanzas: [PluginStanza]

  init?(_ stanzas: [PluginStanza]) {
    guard Self.stanzaCounts ~= stanzas.count else { return nil }
    self.stanzas = stanzas
    guard encoded.count <= Self.mostBytes else { return nil }
  }

  init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.mostBytes else { return nil }
    var reader = ByteReader(bytes)
    var stanzas: [PluginStanza] = []
    do {
      let count = Int(try reader.u8())
      guard Self.stanzaCounts ~= count else { return nil }
      for _ in 0..<count {
        var arguments: [[UInt8]] = []
        for _ in 0..<(try reader.u8()) { arguments.append(try reader.bytes(Int(try reader.u16()))) }
        let body = try reader.bytes(Int(try reader.u16()))
        guard let stanza = PluginStanza(arguments: arguments, body: body) else { return nil }
        stanzas.append(stanza)
      }
      try reader.finish()
    } catch { return nil }
    self.stanzas = stanzas
  }

  var encoded: [UInt8] {
    var bytes = [UInt8(stanzas.count)]
    for stanza in stanzas {
      bytes.append(UInt8(stanza.arguments.count))
      for argument in stanza.arguments {
        bytes.append(littleEndian: UInt16(argument.count))
        bytes += argument
      }
      bytes.append(littleEndian: UInt16(stanza.body.count))
      bytes += stanza.body
    }
    return bytes
  }
}

extension PluginParameters {
  /// Returns a slot's parameters re-encoded; nil if they are invalid.
  package static func encodedAgain(_ bytes: [UInt8]) -> [UInt8]? { PluginParameters(bytes)?.encoded }
}
