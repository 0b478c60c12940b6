internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCrypto
internal import FuekiWallet
internal import SwiftProtobuf

extension FuzzTarget {
  /// A section, and a block of its records.
  static let records = FuzzTarget("records") { input in
    guard let first = input.first else { return }
    let section = Section.allCases[Int(first) % Section.allCases.count]
    let bytes = Array(input[1...])
    let block = try? RecordBlock(bytes, section: section.rawValue)
    precondition(block?.messages == framed(bytes), "two ways of cutting a block differ")
    guard let block else { return }
    for message in block.messages {
      try? validate(Array(bytes[message]), of: section)
      try? readSecret(bytes.span.extracting(message), of: section)
    }
    guard let lines = try? RecordTable.of(section)?.lines(of: block) else { return }
    for line in lines.bytes.split(separator: UInt8(ascii: "\n")) {
      let isWhole = (try? JSONDocument(Array(line), limit: .max)) != nil
      precondition(isWhole, "a line is no JSON")
    }
  }

  /// Returns the messages according to the wallet's parser, or `nil` if it refuses the block.
  private static func framed(_ bytes: [UInt8]) -> [Range<Int>]? {
    var messages: [Range<Int>] = []
    var offset = 0
    do {
      while let message = try RecordFraming.next(in: bytes.span, at: &offset) { messages.append(message) }
    } catch { return nil }
    return messages
  }

  private static func validate(_ message: [UInt8], of section: Section) throws {
    switch section {
    case .wallets: _ = RecordValidation.problems(of: try Wallet(serializedBytes: message))
    case .contacts: _ = RecordValidation.problems(of: try Contact(serializedBytes: message))
    case .assets: _ = RecordValidation.problems(of: try Asset(serializedBytes: message))
    case .transactions: _ = RecordValidation.problems(of: try Transaction(serializedBytes: message))
    case .receipts: _ = try Receipt(serializedBytes: message)
    case .keyShareDescriptors:
      _ = RecordValidation.problems(of: try KeyShareDescriptor(serializedBytes: message))
    default: break
    }
  }

  private static func readSecret(_ message: Span<UInt8>, of section: Section) throws {
    switch section {
    case .privateKeys:
      let once = try PrivateKeyRecord(decoding: message).encoded()
      let twice = try once.withBytes { try PrivateKeyRecord(decoding: $0).encoded() }
      precondition(once.isEqualInConstantTime(to: twice), "a private key's record changes when it is kept")
    case .secretFiles:
      let once = try SecretFilePart(decoding: message).encoded()
      let twice = try once.withBytes { try SecretFilePart(decoding: $0).encoded() }
      precondition(once.isEqualInConstantTime(to: twice), "a secret file's record changes when it is kept")
    default: break
    }
  }
}
