internal import FuekiSystem

/// How to determine, without a key, whether a program's wallets are encrypted.
enum Sealing: Sendable {
  /// They always are.
  case always
  /// They never are.
  case never
  /// They contain no secrets.
  case nothingSecret
  /// Unknown: only the content would show it.
  case hidden
  /// The first bytes show it for these forms.
  ///
  /// Otherwise it is unknown.
  case begins([(text: String, encryption: WalletEncryption)])
  /// The length shows it.
  case length([UInt64: WalletEncryption])

  static let electrum = Sealing.begins([("QklFM", .yes)])
  static let sparrow = Sealing.begins([("H2encrypt", .yes), ("U1BSVz", .yes), ("H:2,", .no)])
  static let coreLightning = Sealing.length([32: .no, 73: .yes])

  /// The number of bytes that can be read without reading a secret.
  private static let beginningByteCount = 9

  /// Returns a file's encryption.
  func encryption(of path: String) -> WalletEncryption {
    switch self {
    case .always: return .yes
    case .never: return .no
    case .nothingSecret: return .notNeeded
    case .hidden: return .unknown
    case .length(let known):
      guard let size = try? File.openRegular(path).size() else { return .unknown }
      return known[size] ?? .unknown
    case .begins(let forms):
      guard let file = try? File.openRegular(path), let size = try? file.size(),
        let bytes = try? file.readExactly(min(Int(clamping: size), Self.beginningByteCount), at: 0)
      else { return .unknown }
      return forms.first { bytes.starts(with: Array($0.text.utf8)) }?.encryption ?? .unknown
    }
  }
}

/// Whether a wallet is encrypted by its program.
public enum WalletEncryption: String, Sendable {
  case yes
  case no
  /// Some of several wallets are.
  case some
  /// It contains no secrets.
  case notNeeded = "not-needed"
  /// Unknown without reading secrets.
  case unknown

  /// Returns the combined state of several wallets.
  static func of(_ all: [WalletEncryption]) -> WalletEncryption {
    guard let first = all.first else { return .unknown }
    if all.allSatisfy({ $0 == first }) { return first }
    return all.contains(.unknown) ? .unknown : .some
  }
}
