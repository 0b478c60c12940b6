/// A file's name: text, or the bytes from a directory listing.
///
/// File names on Linux are bytes. Text is for names from the program or the user. Names found on disk stay
/// bytes, because text would alter those that are not UTF-8.
public protocol PathBytes {
  /// The name's bytes, without a terminating zero.
  var pathBytes: [UInt8] { get }
}
