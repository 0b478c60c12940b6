import FoundationEssentials
import FuekiSystem
package import TestSupport
package import Testing

/// A wallet as Tests/Nodes/wallet_books.py writes it into a store.
package struct ChainWallet: Encodable {
  package struct Point: Encodable {
    package var height: Int
    package var hash: String?

    package init(height: Int, hash: String?) { (self.height, self.hash) = (height, hash) }
  }

  package var name: String
  package var family: String
  package var chain: String
  package var address: String
  package var balance: String?
  package var gap: Int?
  package var descriptors: [String] = []
  /// The last index that was given out, by keychain.
  package var revealed: [String: Int] = [:]
  package var birthday: Point?
  package var synced: Point?
  /// How many old transactions it has.
  package var history = 0
  /// Kinds and URLs.
  package var endpoints: [[String]]

  package init(
    name: String, family: String = "evm", chain: String = "1337", address: String = "",
    endpoints: [[String]] = []
  ) {
    (self.name, self.family, self.chain) = (name, family, chain)
    (self.address, self.endpoints) = (address, endpoints)
  }
}

extension Machine {
  private static let script = "\(SourceTree.path)/Tests/Nodes/wallet_books.py"

  /// The person's word that the wallets' own endpoints may be asked: here they are nodes of the tests.
  package static let allowing = ["--accept=archive-endpoints"]

  /// A machine whose store has these wallets and nothing else.
  package static func with(_ wallets: [ChainWallet]) throws -> Machine {
    let machine = try Machine()
    let books = try JSONEncoder().encode(wallets)
    let run = try BuiltBinary.run(
      program: Wallets.python, [script, "put", "\(machine.data)/wallet.sqlite"], stdin: Array(books))
    guard run.status == 0 else { throw PreparedMachine.Failed(run: run) }
    return machine
  }

  /// Returns the contents of the store, as read by SQLite.
  package func books() throws -> Books {
    let run = try BuiltBinary.run(
      program: Wallets.python, [Self.script, "read", "\(data)/wallet.sqlite"])
    guard run.status == 0 else { throw PreparedMachine.Failed(run: run) }
    return Books(json: try run.json())
  }

  /// Asks the chains, which has to end with a status.
  @discardableResult
  package func resync(
    _ more: [String] = [], status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> JSONValue {
    let run = try self.run(["resync", "--json"] + Machine.allowing + more, timeout: 300)
    #expect(run.status == status, "\(run.text) \(run.errors)", sourceLocation: sourceLocation)
    return try run.json()
  }

  /// Makes an archive of all but the secrets.
  package func backUp() throws {
    // The machine's first archive is of the wallet that these have taken the place of.
    let run = try create(["--only", "profile,history", "--accept=loss"])
    guard run.status == 0 else { throw PreparedMachine.Failed(run: run) }
  }

  /// A new machine that has the newest archive of this one in reach, and nothing else.
  package func successor() throws -> Machine {
    let machine = try Machine(isPrepared: false)
    try machine.remove("target")
    try machine.copyFrom(target, to: "target")
    return machine
  }

  /// Restores the newest archive, into a data directory that is not there yet.
  package func restoreNewest(_ more: [String] = []) throws -> RunResult {
    try run(
      ["restore", "latest", "--target", target] + archiveSecret + Machine.quick + Machine.allowing
        + more, timeout: 300)
  }

  private func copyFrom(_ source: String, to name: String) throws {
    let run = try BuiltBinary.run(program: "/bin/cp", ["-a", source, path(name)])
    guard run.status == 0 else { throw PreparedMachine.Failed(run: run) }
  }
}

/// A store's contents.
package struct Books {
  package let json: JSONValue

  package func balance(of wallet: String) -> String? {
    json["wallets"]?.elements.first { $0["name"]?.text == wallet }?["balance"]?.text
  }

  package func transactions(of wallet: String) -> [JSONValue] {
    json["transactions"]?.elements.filter { $0["wallet"]?.text == wallet } ?? []
  }

  package func transaction(_ hash: String) -> JSONValue? {
    json["transactions"]?.elements.first { $0["hash"]?.text == hash }
  }

  /// Whether a store has of an account what its chain has: balance, nonce, every transaction and token.
  package func expect(
    _ wallet: String, isAs chain: JSONValue, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let kept = json["wallets"]?.elements.first { $0["name"]?.text == wallet }
    #expect(kept?["balance"] == chain["balance"], sourceLocation: sourceLocation)
    #expect(kept?["nonce"] == chain["nonce"], sourceLocation: sourceLocation)
    let rows = transactions(of: wallet).filter { $0["status"]?.text != "dropped" }
    let coins = rows.filter { $0["is_token"] == .bool(false) }
    #expect(coins.count == chain["coins"]?.keys.count, sourceLocation: sourceLocation)
    for row in coins {
      let found = chain["coins"]?[row["hash"]?.text ?? ""]
      for (name, other) in [("amount", "value"), ("block", "block"), ("fee", "fee"), ("success", "success")] {
        #expect(row[name] == found?[other], "\(row)", sourceLocation: sourceLocation)
      }
    }
    let tokens = rows.filter { $0["is_token"] == .bool(true) }.map {
      [$0["hash"] ?? .null, $0["amount"] ?? .null, $0["block"] ?? .null]
    }
    let transfers = chain["transfers"]?.elements.map(\.elements) ?? []
    #expect(tokens.count == transfers.count, sourceLocation: sourceLocation)
    for transfer in transfers { #expect(tokens.contains(transfer), sourceLocation: sourceLocation) }
    for token in chain["tokens"]?.keys ?? [] {
      let asset = json["assets"]?.elements.first {
        $0["wallet"]?.text == wallet && $0["contract"]?.text == token
      }
      #expect(asset?["balance"] == chain["tokens"]?[token], sourceLocation: sourceLocation)
    }
  }
}

package enum TextFile {
  /// A file's text without the white space at its end.
  package static func read(_ path: String) throws -> String {
    let text = String(decoding: try File.open(path).readAll(limit: 1 << 20), as: UTF8.self)
    return String(text.prefix { !$0.isWhitespace })
  }
}
