import FuekiSystem
import TestSupport
import Testing

/// Prices, from a server to the store and out again.
@Suite(.enabled(if: AnsweringServer.canRun, "python3's http.server is not on this machine"))
struct PriceTests {
  private let machine: Machine
  private let server: AnsweringServer

  init() throws {
    machine = try Machine()
    server = try AnsweringServer(on: machine)
    try machine.write("canary-of-the-prices", to: "price.key")
    try machine.write(
      """
      [[price]]
      asset = "ethereum"
      currency = "eur"
      url = "http://127.0.0.1:\(server.port)/simple/price?ids={asset}&vs_currencies={currency}"
      path = "{asset}.{currency}"
      credential_file = "price.key"
      credential_form = "header"
      credential_name = "x-api-key"

      """, to: "config.toml")
  }

  private func price(_ policy: String) throws -> JSONValue {
    let run = try machine.run(
      ["resync", "--json", "--policy", policy, "--config", machine.path("config.toml")])
    #expect(!run.text.contains("canary-of-the-prices") && !run.errors.contains("canary-of-the-prices"))
    return try #require(try run.json()["prices"]?.elements.first)
  }

  @Test func `a price is kept to the digit, and a server that fails changes nothing but its age`() throws {
    #expect(try price("cache-only")["problem"]?.text?.contains("nothing is known from before") == true)
    #expect(try server.requests().isEmpty)

    try server.answer(#"{"ethereum":{"eur":2500.123456789012345678901234567890123,"usd":1}}"#)
    let new = try price("network-first")
    #expect(new["price"]?.text == "2500.123456789012345678901234567890123")
    #expect(new["age_seconds"] == nil && new["problem"] == nil)
    let asked = try server.requests()
    #expect(asked.count == 1)
    #expect(
      asked[0].hasPrefix("GET /simple/price?ids=ethereum&vs_currencies=eur HTTP")
        || asked[0].hasPrefix("GET /simple/price?ids=ethereum&vs_currencies=eur |"))
    #expect(asked[0].lowercased().contains("x-api-key: canary-of-the-prices"))

    for (answer, status, problem) in [
      ("", 500, "it has a problem of its own (HTTP 500)"), ("", 401, "it needs a key"),
      ("<html>", 200, "its answer makes no sense (a price that is no JSON)"),
      (#"{"ethereum":{"usd":1}}"#, 200, "no price at ethereum.eur"),
      (#"{"ethereum":{"eur":-1}}"#, 200, "no price at ethereum.eur"),
      (#"{"ethereum":{"eur":"NaN"}}"#, 200, "no price at ethereum.eur"),
    ] {
      try server.answer(answer, status: status)
      let stale = try price("network-first")
      #expect(stale["price"]?.text == "2500.123456789012345678901234567890123")
      #expect((stale["age_seconds"]?.number ?? -1) >= 0)
      #expect(stale["problem"]?.text?.contains(problem) == true, "\(stale)")
      let alone = try price("network-only")
      #expect(alone["price"] == nil && alone["problem"]?.text?.contains(problem) == true)
    }
    _ = try server.requests()
    for policy in ["cache-only", "cache-first"] {
      #expect(try price(policy)["price"]?.text == "2500.123456789012345678901234567890123")
    }
    // As old as it is, it may be asked for again; without asking it comes with its age.
    let people = try machine.run(
      ["resync", "--policy", "cache-only", "--config", machine.path("config.toml")])
    #expect(
      people.text.contains("ethereum: 2500.123456789012345678901234567890123 eur, "), "\(people.errors)")

    try server.answer(#"{"ethereum":{"eur":"3000"}}"#)
    #expect(try price("network-first")["price"]?.text == "3000")
    #expect(try price("cache-only")["price"]?.text == "3000")
  }
}
