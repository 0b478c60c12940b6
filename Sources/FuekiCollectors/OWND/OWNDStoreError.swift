package import FuekiWallet

/// Why bytes are not one of the OWND wallet's files of credentials and histories.
package enum OWNDStoreError: Error, Equatable, Sendable {
  /// It is empty.
  case empty
  /// It is encrypted with a key on the phone.
  case encrypted
  /// A record, counted from 1, violates Protocol Buffers or the wallet's schema.
  case malformed(WireError, record: Int)
  /// A record's kind cannot be determined.
  case unrecognised(record: Int)
  /// A record's kind differs from the first one's.
  case mixed(record: Int)
  /// A credential has no content.
  case noContent(record: Int)
  /// There are more records than in any wallet.
  case overLimit(Int)
  /// A record has more fields than any should.
  case tooManyFields(record: Int)
  /// Its records would far exceed its size.
  case tooMuch

  /// A sentence for people, after the file's name.
  package var sentence: String {
    switch self {
    case .empty: "it is empty"
    case .encrypted:
      "it is encrypted with a key that stays in the phone: it cannot be opened elsewhere, and the wallet's export "
        + "has no credentials either. Have them issued again"
    case .malformed(let error, let record): "record \(record): \(error.sentence)"
    case .unrecognised(let record):
      "record \(record) is neither a credential of the OWND wallet nor a line of its histories"
    case .mixed(let record): "record \(record) is of another kind than those before it"
    case .noContent(let record): "record \(record): the credential itself is missing"
    case .tooManyFields(let record): "record \(record) has more fields than any record of the OWND wallet"
    case .tooMuch: "it would become far more than it is: larger records than a wallet's file has"
    case .overLimit(let count): "it has more than \(count) records, which no wallet has"
    }
  }

  /// The error as reported by `import`.
  func asForeign(_ file: String) -> ForeignFileError {
    switch self {
    case .overLimit, .tooManyFields, .tooMuch: .overLimit(reason: "\(file): \(sentence)")
    case .empty, .encrypted, .malformed, .unrecognised, .mixed, .noContent:
      .notThisFormat(reason: "\(file): \(sentence)")
    }
  }
}

extension WireError {
  /// The fault, for people.
  fileprivate var sentence: String {
    switch self {
    case .truncated: "it ends too early"
    case .varintNotMinimal: "a number has more bytes than it needs"
    case .invalidTag: "a field of a kind that does not exist"
    case .wrongType(let field): "field \(field) is of another type than the OWND wallet writes"
    case .repeated(let field): "field \(field) is there twice"
    case .invalidValue(let field): "field \(field) has a value that it cannot have"
    }
  }
}
