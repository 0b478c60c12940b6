import TestSupport
import Testing

/// Servers whose answers do not end, and the memory that they get.
@Suite(.enabled(if: AnsweringServer.canRun, "python3's http.server is not on this machine"))
struct EndlessBodyTests {
  /// Runs a program and writes down how much memory it had at most, in KiB.
  private static let measure = """
    import resource, subprocess, sys
    status = subprocess.run(sys.argv[2:]).returncode
    open(sys.argv[1], "w").write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
    sys.exit(status)
    """

  @Test func `no source holds more of an answer than it may have`() throws {
    let machine = try Machine()
    let server = try AnsweringServer(on: machine)
    try server.flood()
    let kinds = ["ethereum-rpc", "etherscan", "blockscout", "esplora", "bitcoin-rpc"]
    let endpoints = kinds.map { kind in
      let chain = kind.hasSuffix("scan") || kind == "blockscout" ? "chain = \"1\"\n" : ""
      return "[[endpoint]]\nkind = \"\(kind)\"\n\(chain)url = \"http://127.0.0.1:\(server.port)/\(kind)\"\n"
    }
    let price =
      "[[price]]\nasset = \"a\"\ncurrency = \"b\"\npath = \"a\"\nurl = \"http://127.0.0.1:\(server.port)\"\n"
    try machine.write(endpoints.joined() + price, to: "config.toml")
    let run = try machine.run(
      ["resync", "--json", "--policy", "network-only", "--config", machine.path("config.toml")],
      through: ["/usr/bin/python3", "-c", Self.measure, machine.path("memory")], timeout: 300, status: 50)
    for kind in kinds {
      let named =
        "\(kind) at http://127.0.0.1:\(server.port): its answer is longer than 16 MiB, so it was not used"
      #expect(run.text.replacing("\\/", with: "/").contains(named), "\(kind)")
    }
    #expect(run.text.contains("its answer is longer than 1 MiB"))
    let memory = try #require(Int(try machine.text("memory")))
    #expect(memory < 512 << 10, "\(memory) KiB")
  }
}
