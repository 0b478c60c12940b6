internal import FuekiArchive
internal import FuekiSources
internal import FuekiCrypto
public import FuekiSystem

/// Why the process that reads a source gave no records.
public enum ReaderError: Error, Equatable, Sendable {
  /// It ended before it was done.
  case ended(ChildEnding)
  /// It said what no reader of this program says.
  case nonsense
  /// It met an error that has a sentence and no other meaning.
  case told(reason: String)

  /// One sentence for people.
  public var sentence: String {
    switch self {
    case .ended(let ending): "the reader of this wallet failed: it \(ending.sentence)"
    case .nonsense: "the reader of this wallet failed: what it said makes no sense"
    case .told(let reason): reason
    }
  }

  /// Whether the process failed, so that its files were not read.
  var isFailure: Bool {
    switch self {
    case .ended, .nonsense: true
    case .told: false
    }
  }
}

/// An error on its way from a reader to this program, which acts on some of them.
enum ToldError {
  /// The reader got no passphrase: why, only this program knows.
  struct NoPassphrase: Error {}

  private enum Code: UInt8 {
    case foreign = 1
    case system
    case work
    case changing
    case interrupted
    case passphrase
    case crypto
    case other
  }

  private static let crypto: [CryptoError] = [
    .unavailable, .outOfMemory, .derivationFailed, .notAuthentic, .invalidKey, .invalidPoint, .invalidLength,
    .invalidPassphrase(.empty), .invalidPassphrase(.tooLong), .invalidPassphrase(.containsNUL),
    .invalidPassphrase(.notText),
  ]

  /// Writes an error; `sentence` returns the words of errors without a code here.
  static func write(_ error: any Error, to frame: inout FrameWriter, sentence: (any Error) -> String) {
    switch error {
    case is NoPassphrase: frame.add(Code.passphrase.rawValue)
    case is Interrupted: frame.add(Code.interrupted.rawValue)
    case let error as SystemError where error.isInterrupted: frame.add(Code.interrupted.rawValue)
    case let error as ForeignFileError:
      frame.add(Code.foreign.rawValue)
      let (number, text): (UInt8, String) =
        switch error {
        case .notThisFormat(let reason): (0, reason)
        case .tooNew(let reason): (1, reason)
        case .wrongPassphrase(let file): (2, file)
        case .passphraseNeeded(let file): (3, file)
        case .overLimit(let reason): (4, reason)
        }
      frame.add(number)
      frame.add(text)
    case let error as SystemError:
      frame.add(Code.system.rawValue)
      frame.add(UInt32(bitPattern: error.code))
      frame.add(error.call)
      frame.add(optional: error.path.map { Array($0.utf8) })
    case let error as WorkBudget.Exceeded:
      frame.add(Code.work.rawValue)
      frame.add(error.unit.rawValue)
    case CollectError.sourceKeepsChanging: frame.add(Code.changing.rawValue)
    case let error as CryptoError where crypto.contains(error):
      frame.add(Code.crypto.rawValue)
      frame.add(UInt8(clamping: crypto.firstIndex(of: error) ?? 0))
    default:
      frame.add(Code.other.rawValue)
      frame.add(sentence(error))
    }
  }

  /// Reads an error about the source that reports name so.
  static func read(_ frame: inout ByteReader, source: String) throws -> any Error {
    switch Code(rawValue: try frame.u8()) {
    case .passphrase: return NoPassphrase()
    case .interrupted: return Interrupted()
    case .foreign:
      let (number, text) = (try frame.u8(), try frame.nextText())
      switch number {
      case 0: return ForeignFileError.notThisFormat(reason: text)
      case 1: return ForeignFileError.tooNew(reason: text)
      case 2: return ForeignFileError.wrongPassphrase(file: text)
      case 3: return ForeignFileError.passphraseNeeded(file: text)
      case 4: return ForeignFileError.overLimit(reason: text)
      default: return ReaderError.nonsense
      }
    case .system:
      return SystemError(
        code: Int32(bitPattern: try frame.u32()), call: try frame.nextText(),
        path: try frame.nextOptional().map { String(decoding: $0, as: UTF8.self) })
    case .work:
      return WorkBudget.Unit(rawValue: try frame.nextText()).map { WorkBudget.Exceeded($0) }
        ?? ReaderError.nonsense
    case .changing: return CollectError.sourceKeepsChanging(name: source)
    case .crypto:
      let number = Int(try frame.u8())
      return crypto.indices.contains(number) ? crypto[number] : ReaderError.nonsense
    case .other: return ReaderError.told(reason: try frame.nextText())
    case nil: return ReaderError.nonsense
    }
  }
}
