internal import FoundationEssentials
internal import SwiftProtobuf

/// Upgrades a kind's records from an older schema version.
public struct OlderSpelling: Sendable {
  /// The version of the older records.
  ///
  /// The result has the next version.
  public let version: UInt32
  /// Upgrades a record's message to the next version.
  ///
  /// An unaffected record keeps its exact bytes.
  public let lift: @Sendable ([UInt8]) throws -> [UInt8]

  /// Creates an upgrade of the records of a version.
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

/// A word in the Fueki app's files that differs from this schema's only in case and separators.
///
/// Records of version 0 contain such words: the app spells kinds and states its own way, and omits the chain
/// family. A word with another spelling is kept in `extra` under the app's field name.
struct AppWord {
  /// The word in this schema.
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
    // The separators must be printable ASCII, so that the word can be kept without escapes.
    guard text.utf8.allSatisfy({ 0x20..<0x7f ~= $0 && $0 != 0x22 && $0 != 0x5c }) else { return "" }
    return text.lowercased().filter { !"-_ ".contains($0) }
  }

  func kept(as name: String) -> Extra {
    var extra = Extra()
    extra.name = name
    extra.json = "\"\(written)\""
    return extra
  }

  /// Infers the family, which the app omits.
  ///
  /// No other family's addresses have this form.
  static func family(of address: Data) -> String {
    guard let text = PackedText.text(address), text.hasPrefix("0x"), text.utf8.count == 42 else { return "" }
    return ChainFamily.evm.name
  }
}
