internal import Glibc

/// The environment variables of this process.
public enum Environment {
  /// The value of a variable that is no secret, as ``PathText`` writes it; nil if it is not set.
  public static func get(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe PathText.text(cString: value)
  }

  /// Whether the variable is set, even to nothing.
  public static func contains(_ name: String) -> Bool { unsafe getenv(name) != nil }

  /// Moves a secret out of the environment, so that neither a child nor `/proc` shows it any longer.
  ///
  /// - Returns: how many bytes of the buffer were filled, or nil where the variable is not set.
  /// - Throws: `E2BIG` where the value is longer than the buffer; it is removed all the same.
  public static func takeSecret(
    _ name: String, into buffer: inout MutableSpan<UInt8>
  ) throws(SystemError) -> Int? {
    guard let value = unsafe getenv(name) else { return nil }
    let length = unsafe strlen(value)
    defer {
      unsafe memset(value, 0, length)
      unsafe unsetenv(name)
    }
    guard length <= buffer.count else { throw SystemError(code: E2BIG, call: "getenv", path: name) }
    for index in 0..<length {
      buffer[index] = unsafe UInt8(bitPattern: value[index])
    }
    return length
  }

  /// Sets a variable of this process, and of its children to come.
  public static func set(_ name: String, to value: String) { unsafe setenv(name, value, 1) }

  /// Takes a variable out of the environment.
  public static func remove(_ name: String) { unsafe unsetenv(name) }

  /// The names that begin so.
  public static func names(withPrefix prefix: String) -> [String] {
    var names: [String] = []
    _ = all { name in
      if name.hasPrefix(prefix) { names.append(name) }
      return false
    }
    return names
  }

  /// The bytes of all variables but those whose names begin so, each as `NAME=value`.
  package static func all(withoutPrefix prefix: String) -> [[UInt8]] {
    all(except: []).filter { !$0.starts(with: [UInt8](prefix.utf8)) }
  }

  /// The bytes of all variables but these, each as `NAME=value`.
  static func all(except names: [String]) -> [[UInt8]] {
    all { !names.contains($0) }
  }

  /// The bytes of all variables whose name is one of these, each as `NAME=value`.
  static func all(where isIncluded: (_ name: String) -> Bool) -> [[UInt8]] {
    var variables: [[UInt8]] = []
    var next = unsafe environ
    while let text = unsafe next.pointee {
      let bytes = unsafe UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
      let name = String(decoding: bytes.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
      if isIncluded(name) { variables.append(bytes) }
      unsafe next += 1
    }
    return variables
  }
}
