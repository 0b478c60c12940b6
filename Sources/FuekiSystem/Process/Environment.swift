internal import Glibc

/// The environment variables of this process.
public enum Environment {
  /// Returns the value of a variable that is no secret, or `nil` if it is unset.
  ///
  /// The value is converted with ``PathText``.
  public static func get(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe PathText.text(cString: value)
  }

  /// Returns whether a variable is set, including to the empty string.
  public static func contains(_ name: String) -> Bool { unsafe getenv(name) != nil }

  /// Moves a secret out of the environment, so that neither children nor `/proc` expose it.
  ///
  /// - Returns: The number of bytes written to the buffer, or `nil` if the variable is unset.
  /// - Throws: `E2BIG` if the value is longer than the buffer. The variable is removed in that case too.
  public static func takeSecret(
    _ name: String, into buffer: inout MutableSpan<UInt8>
  ) throws(SystemError) -> Int? {
    guard let value = unsafe getenv(name) else { return nil }
    let length = unsafe strlen(value)
    defer { wipe(name) }
    guard length <= buffer.count else { throw SystemError(code: E2BIG, call: "getenv", path: name) }
    for index in 0..<length {
      buffer[index] = unsafe UInt8(bitPattern: value[index])
    }
    return length
  }

  /// Wipes and removes a variable with a secret.
  public static func wipe(_ name: String) {
    guard let value = unsafe getenv(name) else { return }
    unsafe memset(value, 0, strlen(value))
    unsafe unsetenv(name)
  }

  /// Sets a variable of this process and its future children.
  public static func set(_ name: String, to value: String) { unsafe setenv(name, value, 1) }

  /// Removes a variable from the environment.
  public static func remove(_ name: String) { unsafe unsetenv(name) }

  /// Returns the names with a prefix.
  public static func names(withPrefix prefix: String) -> [String] {
    var names: [String] = []
    _ = all { name in
      if name.hasPrefix(prefix) { names.append(name) }
      return false
    }
    return names
  }

  /// Returns all variables whose names lack the prefix, each as `NAME=value`.
  package static func all(withoutPrefix prefix: String) -> [[UInt8]] {
    all(except: []).filter { !$0.starts(with: [UInt8](prefix.utf8)) }
  }

  /// Returns all variables except the named ones, each as `NAME=value`.
  static func all(except names: [String]) -> [[UInt8]] {
    all { !names.contains($0) }
  }

  /// Returns the variables whose names satisfy the predicate, each as `NAME=value`.
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
