import TestSupport
import Testing

/// Tables that are opened by a spreadsheet.
struct TableExportTests {
  /// Names of contacts in the archive, and their safe forms in a table.
  private static let names: [(exact: String, safe: String)] = [
    ("=HYPERLINK(\"http://x\")", "'=HYPERLINK(\"http://x\")"), ("+49 1", "'+49 1"), ("@SUM(1)", "'@SUM(1)"),
    ("-2+3", "'-2+3"), ("\t=1", "'\t'=1"), ("\r=1", "'\r'=1"), ("＝1", "'＝1"), ("-", "'-"), ("--1", "'--1"),
    ("-1.", "'-1."), ("-1e5", "'-1e5"), ("-5", "-5"), ("-0.25", "-0.25"), ("5", "5"), ("a=b", "a=b"),
    ("a;=1+1;b", "a;'=1+1;b"), ("a\n=1", "a\n'=1"), ("e-mail", "e-mail"), (" =1", " =1"), ("'=1", "'=1"),
    ("", ""),
  ]

  private static func quoted(_ text: String) -> String {
    let escapes = ["\"": "\\\"", "\n": "\\n", "\r": "\\r", "\t": "\\t"]
    return "\"" + text.unicodeScalars.map { escapes[String($0)] ?? String($0) }.joined() + "\""
  }

  /// The cells of a column, as Python reads them.
  private func cells(_ machine: Machine, _ folder: String, _ column: String) throws -> [String] {
    let script = """
      import csv, json, sys
      rows = list(csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8"), strict=True))
      print(json.dumps([row[sys.argv[2]] for row in rows]))
      """
    let path = machine.path("\(folder)/contacts.csv")
    let run = try BuiltBinary.run(program: "/usr/bin/python3", ["-c", script, path, column])
    try #require(run.status == 0, "\(run.errors)")
    return try JSONValue(parsing: run.output).elements.compactMap(\.text)
  }

  @Test func `no text is a formula unless --raw is given, and numbers stay numbers`() throws {
    let machine = try Machine(isPrepared: false)
    let contacts = Self.names.enumerated().map { index, name in
      "{\"id\": \"c\(index)\", \"name\": \(Self.quoted(name.exact)), \"address\": \"\(index)\"}"
    }
    try machine.write(
      "{\"wallets\": [], \"transactionHistory\": [], \"addressBook\": [\(contacts.joined(separator: ","))]}",
      to: "bundle")
    try machine.run(
      ["create", "--from", "fueki-app:bundle", "--target", machine.target] + machine.archiveSecret
        + Machine.quick, status: 0)
    for (folder, option) in [("safe", []), ("exact", ["--raw"])] {
      let export =
        ["export", "latest", "--target", machine.target, "--format", "csv"] + machine.archiveSecret
      try machine.run(export + ["--output", machine.path(folder)] + option, status: 0)
    }
    #expect(try cells(machine, "safe", "name") == Self.names.map(\.safe))
    #expect(try cells(machine, "exact", "name") == Self.names.map(\.exact))
  }

  @Test(arguments: ["new", "data"])
  func `an import over a limit ends with 32 and leaves everything as it was`(data: String) throws {
    let machine = try Machine()
    let card =
      "BEGIN:VCARD\nVERSION:4.0\nFN:Bob\nNOTE:" + String(repeating: "x", count: 100_000) + "\n"
      + (0..<1000).map { "X-BTC:address\($0)\n" }.joined() + "END:VCARD\n"
    try machine.write(card, to: "people.vcf")
    let before = machine.exists(data) ? try machine.snapshot(of: data) : [:]
    let run = try machine.run(["import", "people.vcf", "--datadir", machine.path(data)])
    #expect(run.status == 32 && run.errors.contains("people.vcf: it would become far more"), "\(run.errors)")
    #expect(machine.exists(data) == (data == "data"))
    if machine.exists(data) { #expect(try machine.snapshot(of: data) == before) }
    let created = try machine.run(
      ["create", "--from", "vcard:people.vcf", "--accept=synced-keys", "--target", machine.target]
        + ["--new-vault"] + machine.archiveSecret + Machine.quick)
    // A backup keeps the file as it is.
    #expect(created.status == 3, "\(created.errors)")
    #expect(created.text.contains("kept, not read: it asks for too much work"), "\(created.text)")
    #expect(try machine.archives().count == 2)
  }
}
