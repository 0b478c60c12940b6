import FuekiCollectors
import FuekiSystem
import TestSupport
import Testing

/// Programs that have their wallets open.
extension WalletDiscoveryTests {
  @Test func `a program that runs is seen by what it holds open, locks, or leaves`() throws {
    let home = try Self.home([
      (".electrum/wallets/a", "{"), (".bitcoin/wallet.dat", "x"), (".bitcoin/.lock", ""),
      (".electrum-ltc/wallets/b", "{"), (".electrum-ltc/daemon", "x"), (".dogecoin/wallet.dat", "x"),
    ])
    // A separate program, because this process's own files are ignored.
    let script = "exec 8< \"$1\"; exec 9> \"$2\"; flock 9; echo ready > \"$3\"; exec sleep 60"
    let arguments = [".electrum/wallets/a", ".bitcoin/.lock", "ready"].map { home.path($0) }
    let command = ChildCommand(
      executable: "/bin/sh", arguments: ["sh", "-c", script, "sh"] + arguments,
      environment: [Array("PATH=/usr/bin:/bin".utf8)])
    let process = try command.start()
    defer { Self.end(process) }
    while try !home.open().contains("ready") { SystemClock.sleep(seconds: 0.01) }
    let found = WalletDiscovery(home: home.path).run()
    func uses(_ program: String) -> [FileUse] { found.places.first { $0.program == program }?.uses ?? [] }
    #expect(uses("electrum").map(\.sign) == [.open] && uses("electrum").first?.process == process)
    // The shell, which is found first, also has the lock's file open.
    #expect(uses("bitcoin-core").map(\.process) == [process])
    #expect(uses("electrum-ltc").map(\.sign) == [.present])
    #expect(uses("dogecoin-core").isEmpty)
    #expect(uses("electrum").first?.name == "sleep")
  }

  @Test func `a browser's lock, a link that leads nowhere, shows that it runs`() throws {
    let profile = ".config/chromium"
    let home = try Self.home([
      ("\(profile)/Default/Local Extension Settings/nkbihfbeogaeaoehlefnkodbefgpgknn/1.log", "x")
    ])
    let link = try BuiltBinary.run(
      program: "/bin/ln", ["-s", "machine-4711", home.path("\(profile)/SingletonLock")])
    #expect(link.status == 0)
    let found = WalletDiscovery(home: home.path).run()
    // A process that another test starts at the same moment has the open file until it becomes its program.
    #expect(found.places.first?.uses.map(\.sign).contains(.present) == true)
    #expect(WalletDiscovery(home: home.path).runQuickly().places.first?.uses.isEmpty == true)
  }

  private static func end(_ process: Int32) {
    _ = try? BuiltBinary.run(program: "/bin/kill", ["-9", "\(process)"])
    _ = try? ChildEnding.wait(for: process)
  }
}
