import FuekiSystem
import Glibc
import TestSupport
import Testing

/// A Syncthing of its own on the loopback device, which knows one other and shares one folder with it.
final class SyncthingPeer {
  static let program = InstalledProgram.path("syncthing")

  let name: String
  let home: String
  let folder: String
  let address: String
  private(set) var device = ""
  private var process: Int32?

  /// Creates a peer, whose name separates its files and its device from the other's.
  ///
  /// Peers find each other only on the loopback device.
  init(_ name: String, root: String, folder: String) throws {
    self.name = name
    self.folder = folder
    home = "\(root)/syncthing-\(name)"
    let place = Loopback.place()
    address = "tcp://\(place.host):\(place.port)"
    try Directory.makePrivateDirectories(home)
    try run(["generate", "--home", home, "--no-default-folder", "--skip-port-probing"]).expect(0)
    device = String(
      try run(["serve", "--home", home, "--device-id"]).text.filter { !$0.isWhitespace })
  }

  deinit { kill() }

  /// Starts to sync with the other; of what this one sends, at most so many KiB a second.
  func start(with other: SyncthingPeer, sendingAtMost rate: Int = 0) throws {
    try configure(other, rate)
    let arguments = [
      "serve", "--home", home, "--no-browser", "--no-restart", "--no-upgrade", "--logfile", "-",
    ]
    // The inner process alone: what is killed is then all there is.
    let environment = ["HOME=\(home)", "PATH=/usr/bin:/bin", "STMONITORED=yes"]
    var command = ChildCommand(
      executable: try #require(Self.program), arguments: ["syncthing"] + arguments,
      environment: environment.map { Array($0.utf8) })
    let directory = try Directory.open(home)
    if try directory.contains("log") { try directory.remove("log") }
    let log = try directory.createFile("log")
    let input = try File.open("/dev/null")
    command.streams = (input.descriptor, log.descriptor, log.descriptor)
    process = try command.start()
  }

  /// Its log since its start.
  var log: String {
    String(decoding: (try? File.open("\(home)/log").readAll(limit: 1 << 24)) ?? [], as: UTF8.self)
  }

  /// Ends it as a power cut would.
  func kill() {
    guard let process else { return }
    _ = Glibc.kill(process, SIGKILL)
    _ = try? ChildEnding.wait(for: process)
    self.process = nil
  }

  private func run(_ arguments: [String]) throws -> RunResult {
    try BuiltBinary.run(
      program: try #require(Self.program), arguments, environment: ["HOME": home])
  }

  /// Nothing is announced, asked for or reported beyond the loopback device.
  private func configure(_ other: SyncthingPeer, _ rate: Int) throws {
    func element(_ peer: SyncthingPeer) -> String {
      "<device id=\"\(peer.device)\" name=\"\(peer.name)\" compression=\"metadata\"><address>\(peer.address)</address></device>"
    }
    let off = [
      "globalAnnounceEnabled", "localAnnounceEnabled", "relaysEnabled", "natEnabled", "startBrowser",
      "crashReportingEnabled", "announceLANAddresses",
    ]
    let text = """
      <configuration version="36">
        <folder id="backups" label="" path="\(folder)" type="sendreceive" rescanIntervalS="1" fsWatcherEnabled="true"
          fsWatcherDelayS="1"><device id="\(device)"/><device id="\(other.device)"/>
          <maxConflicts>-1</maxConflicts></folder>
        \(element(self))\(element(other))
        <gui enabled="false"></gui>
        <options>
          <listenAddress>\(address)</listenAddress>
          \(off.map { "<\($0)>false</\($0)>" }.joined())
          <urAccepted>-1</urAccepted><autoUpgradeIntervalH>0</autoUpgradeIntervalH>
          <reconnectionIntervalS>1</reconnectionIntervalS><stunKeepaliveStartS>0</stunKeepaliveStartS>
          <maxSendKbps>\(rate)</maxSendKbps><limitBandwidthInLan>true</limitBandwidthInLan>
          <setLowPriority>false</setLowPriority>
        </options>
      </configuration>
      """
    let directory = try Directory.open(home)
    try directory.remove("config.xml")
    try directory.createFile("config.xml").pwriteAll(Array(text.utf8), at: 0)
  }
}
