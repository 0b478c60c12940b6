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

  @Test(arguments: [["creat"], ["create", "--nonsense"], ["restore"], ["verify", "x", "--depth", "deep"]])
  func `wrong usage ends with 64 and says so on standard error`(_ arguments: [String]) throws {
    let machine = try Machine()
    let run = try machine.run(arguments, status: 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("error: "))
  }
}
