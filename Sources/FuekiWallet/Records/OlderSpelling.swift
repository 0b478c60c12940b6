internal import FoundationEssentials
internal import SwiftProtobuf

/// What this version makes of a kind's records of an older version of the schema.
public struct OlderSpelling: Sendable {
  /// The version of the older records; what comes of them is the next one's.
  public let version: UInt32
  /// Turns an older record's message into one of the next version; a record that stays as it is keeps its very bytes.
  public let lift: @Sendable ([UInt8]) throws -> [UInt8]

  /// Says what is done to the records of a version.
  init<Record: SectionRecord & Equatable>(
    of version: UInt32, _ change: @escaping @Sendable (inout Record) -> Void
  ) {
    self.version = version
    lift = { message in
      var record = try Record(serializedBytes: message)
      let before = record
      change(&record)
      return record == before ? message : try record.serializedBytes()
    }
  }
}

/// A word of the Fueki app's own files that differs from one of this schema's in capitals and separators only.
///
/// Records of version 0 have them: the app writes kinds and states of its own spelling, and no family of chains. A word
/// that is spelled otherwise is kept in `extra` under the app's name for it, as its source had it.
struct AppWord {
  /// The word as this schema has it.
  let known: String
  private let written: String

  init?(_ written: String, among words: [String]) {
    let letters = Self.letters(of: written)
    guard !words.contains(written), !letters.isEmpty,
      let known = words.first(where: { Self.letters(of: $0) == letters })
    else { return nil }
    self.known = known
    self.written = written
  }

  private static func letters(of text: String) -> String {
    // What stands between the letters is ASCII, so that the word can be kept without escapes.
    guard text.utf8.allSatisfy({ 0x20..<0x7f ~= $0 && $0 != 0x22 && $0 != 0x5c }) else { return "" }
    return text.lowercased().filter { !"-_ ".contains($0) }
  }

  func kept(as name: String) -> Extra {
    var extra = Extra()
    extra.name = name
    extra.json = "\"\(written)\""
    return extra
  }

  /// The app does not write the family down, but no other family's addresses look like this.
  static func family(of address: Data) -> String {
    guard let text = PackedText.text(address), text.hasPrefix("0x"), text.utf8.count == 42 else { return "" }
    return ChainFamily.evm.name
  }
}
