/// Addresses for servers with a configurable port.
package enum Loopback {
  /// Returns a loopback address and a port below the system's ephemeral range.
  ///
  /// With millions of addresses, two servers practically never collide.
  package static func place() -> (host: String, port: Int) {
    let parts = (0..<3).map { _ in "\(Int.random(in: 1...254))" }
    return ("127.\(parts.joined(separator: "."))", Int.random(in: 11_000..<32_000))
  }
}
