/// Why bytes are not a JSON document, with the offset where the error shows.
///
/// See RFC 8259. In addition to its grammar, names must not repeat within an object, and text must be
/// Unicode.
public enum JSONError: Error, Equatable, Sendable {
  /// The document is longer than its reader allows.
  case tooLong(byteCount: Int)
  /// The document has more values than its bytes allow; see ``JSONOutline/valueLimit(of:)``.
  case tooManyValues(limit: Int)
  /// The document ends inside a value.
  case truncated(offset: Int)
  /// A byte is not allowed here.
  case unexpected(offset: Int)
  /// Objects and arrays are nested too deeply.
  case tooDeep(offset: Int)
  /// A number is not in JSON's format.
  case invalidNumber(offset: Int)
  /// Text is not UTF-8, or an escape is invalid or half of a surrogate pair.
  case invalidText(offset: Int)
  /// A name repeats within its object.
  case repeatedName(offset: Int)
  /// Bytes follow the document's value.
  case trailing(offset: Int)

  /// A sentence for people, which reveals nothing of the document.
  package var sentence: String {
    switch self {
    case .tooLong(let byteCount): "its \(byteCount) bytes are more than such a file has"
    case .tooManyValues(let limit): "the JSON has more than \(limit) values, which no such file has"
    case .truncated(let offset): "the JSON ends too early, at byte \(offset)"
    case .unexpected(let offset): "it is not JSON at byte \(offset)"
    case .tooDeep(let offset): "the JSON is nested too deeply at byte \(offset)"
    case .invalidNumber(let offset): "the number at byte \(offset) is not written as JSON writes numbers"
    case .invalidText(let offset): "the text at byte \(offset) is not valid Unicode"
    case .repeatedName(let offset): "a member's name is there twice, again at byte \(offset)"
    case .trailing(let offset): "something follows the JSON at byte \(offset)"
    }
  }
}
