import FuekiCrypto
import FuekiStore
import FuekiSystem

extension StoreError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .notThere(path: "store")
    case .notThere: .alreadyThere(path: "store")
    case .alreadyThere: .newer(schema: 3, path: "store")
    case .newer: .notAStore(path: "store")
    case .notAStore: .damaged(path: "store")
    case .damaged: .danglingReference(table: "assets", parent: "wallets", path: "store")
    case .danglingReference: .malformedRow(table: "assets", row: 3)
    case .malformedRow: .noRecord(table: "assets")
    case .noRecord: .busy(path: "store")
    case .busy: .system(SystemError(.failed, call: "read", path: "store"))
    case .system: .noSoundKeychain(path: "store")
    case .noSoundKeychain: .database(code: 3, path: "store")
    case .database: nil
    }
  }
}

extension KeychainError: Walked {
  static func next(after known: Self?) -> Self? {
    switch known {
    case nil: .notThere(path: "keychain")
    case .notThere: .alreadyThere(path: "keychain")
    case .alreadyThere: .damaged(path: "keychain")
    case .damaged: .newer(version: 3, path: "keychain")
    case .newer: .missingSecret
    case .missingSecret: .wrongSecret
    case .wrongSecret: .overLimit(path: "keychain")
    case .overLimit: .changedMeanwhile(path: "keychain")
    case .changedMeanwhile: .slotCount(3)
    case .slotCount: .crypto(.invalidKey)
    case .crypto: .system(SystemError(.failed, call: "read", path: "keychain"))
    case .system: nil
    }
  }
}
