internal import FuekiSystem

/// How a program's wallets tell whether they are encrypted, without a key.
enum Sealing: Sendable {
  /// They always are.
  case always
  /// They never are.
  case never
  /// They hold nothing secret.
  case nothingSecret
  /// Only the inside tells it, and that is not read here.
  case hidden
  /// The first bytes tell it where the file is one of these forms; else only the inside does.
  case begins([(text: String, encryption: WalletEncryption)])
  /// The length tells it.
  case length([UInt64: WalletEncryption])

  static let electrum = Sealing.begins([("QklFM", .yes)])
  static let sparrow = Sealing.begins([("H2encrypt", .yes), ("U1BSVz", .yes), ("H:2,", .no)])
  static let coreLightning = Sealing.length([32: .no, 73: .yes])

  /// No secret begins a file within so many bytes where the beginning is looked at.
  private static let beginningByteCount = 9

  /// What a file tells.
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

/// Whether a wallet's program encrypted it.
public enum WalletEncryption: String, Sendable {
  case yes
  case no
  /// Some of several are.
  case some
  /// There is nothing secret in it.
  case notNeeded = "not-needed"
  /// It cannot be told without reading secrets.
  case unknown

  /// What holds of several together.
  static func of(_ all: [WalletEncryption]) -> WalletEncryption {
    guard let first = all.first else { return .unknown }
    if all.allSatisfy({ $0 == first }) { return first }
    return all.contains(.unknown) ? .unknown : .some
  }
}
