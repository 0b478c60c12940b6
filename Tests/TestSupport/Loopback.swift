/// Where servers listen that take the port they are told.
package enum Loopback {
  /// An address of this machine that its network does not reach, and a port below those that the system hands out.
  ///
  /// There are millions of addresses: two servers at once meet by chance as good as never.
  package static func place() -> (host: String, port: Int) {
    let parts = (0..<3).map { _ in "\(Int.random(in: 1...254))" }
    return ("127.\(parts.joined(separator: "."))", Int.random(in: 11_000..<32_000))
  }
}
