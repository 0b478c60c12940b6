internal import Glibc

/// The machine's host name.
public enum HostName {
  /// The host name, or `localhost` if it is unset.
  public static var current: String {
    var name = [CChar](repeating: 0, count: 256)
    let capacity = name.count
    let status = unsafe name.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return Int32(-1) }
      return unsafe gethostname(base, capacity - 1)
    }
    let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return status != 0 || text.isEmpty ? "localhost" : text
  }
}
