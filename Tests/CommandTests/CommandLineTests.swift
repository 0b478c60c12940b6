import TestSupport
import Testing

struct CommandLineTests {
  @Test(arguments: [
    ["--version"], ["--help"], ["create", "--help"], ["restore", "--help"], ["help", "verify"],
  ])
  func `help and version go to standard output and end with 0`(_ arguments: [String]) throws {
    let run = try BuiltBinary.run(arguments).expect(0)
    #expect(!run.output.isEmpty)
    #expect(run.errors.isEmpty)
  }

  @Test(arguments: [
    ["creat"], ["create", "--nonsense"], ["list"], ["verify"], ["restore"], ["create", "--kdf-memory", "63"],
    ["create", "--kdf-memory", "1024", "--kdf-passes", "17"], ["create", "--kdf-passes", "1"],
    ["verify", "x", "--depth", "deep"], ["verify", "x", "--known", "1:2:3"],
    ["verify", "x", "--trusted-signer", "00"],
    ["create", "--only", "everything"], ["create", "--from", "floppy:/dev/fd0"], ["create"],
  ])
  func `wrong usage ends with 64 and says so on standard error`(_ arguments: [String]) throws {
    let machine = try Machine()
    let run = try machine.run(arguments, status: 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("error: "))
    let json = try machine.run(arguments + ["--json"], status: 64)
    #expect(try json.json()["code"] == .number(64))
    #expect(try json.json()["id"] == .string("usage"))
  }

  @Test func `no command prints the help`() throws {
    let run = try BuiltBinary.run([]).expect(0)
    #expect(run.text.contains("SUBCOMMANDS"))
  }
}
