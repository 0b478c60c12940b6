import FuekiSystem
import Glibc
import TestSupport
import Testing

/// The rclone that serves on the loopback device: what others learn of it, and its end.
@Suite(
  .enabled(if: RcloneRemote.program != nil && PythonServer.canRun, "this machine has no rclone, or no Python")
)
struct RcloneServerTests {
  private static let copies = 3

  /// A machine with several files of one archive in the folder.
  private func prepared(in folder: String) throws -> RcloneRemote {
    let remote = try RcloneRemote(.local, try Machine())
    try Directory.makePrivateDirectories(remote.machine.path(folder))
    let bytes = try remote.machine.read(try #require(remote.machine.archives().first))
    for number in 1...Self.copies { try remote.machine.write(bytes, to: "\(folder)/copy-\(number).fueki") }
    return remote
  }

  private func lines(_ name: String, of remote: RcloneRemote) throws -> [String] {
    try remote.machine.text(name).split(separator: "\n").map(String.init)
  }

  private func expectEnd(of remote: RcloneRemote) throws {
    let processes = try lines("serving", of: remote).compactMap { Int32($0) }
    #expect(!processes.isEmpty)
    for process in processes { #expect(ProcessFigures.ends(process), "process \(process)") }
  }

  @Test(arguments: ["list", "verify"])
  func `it answers only with the password, which no argument has, and is gone with the command`(
    _ command: String
  ) throws {
    let remote = try prepared(in: "remote/wallet")
    let watched = try remote.interfere(
      with: "serve",
      """
      $rclone "$@" 2>$root/log & child=$!
      trap "kill $child" TERM
      until port=$(grep -o '127.0.0.1:[0-9]*/' $root/log); do sleep 0.02; done
      port=${port%/}
      ask() {
        exec 5<>/dev/tcp/${port/:/\\/}
        printf 'GET /copy-1.fueki HTTP/1.0\\r\\n%s\\r\\n' "$1" >&5
        head -n 1 <&5 | tr -d '\\r'
        exec 5>&-
      }
      with() { ask "Authorization: Basic $(printf '%s' "$1" | base64 -w 0)"$'\\r\\n'; }
      (ask ''; with fueki:; with fueki:wrong; with "fueki:$RCLONE_PASS") >$root/answers
      cat /proc/$child/cmdline /proc/$$/cmdline /proc/$PPID/cmdline | tr '\\0' '\\n' >$root/arguments
      echo $RCLONE_PASS >$root/password
      printf '%s\\n' $child $$ $PPID >$root/serving
      cat $root/log >&2
      wait $child
      """)
    // A user's own settings for other servers are not this one's.
    let settings = [
      "RCLONE_PASS": "known", "RCLONE_USER": "person", "RCLONE_LOG_FILE": remote.machine.path("hidden"),
    ]
    try remote.run(
      [command, remote.target, "--json"], environment: watched.merging(settings) { $1 }, status: 0)
    let answers = try lines("answers", of: remote).map { $0.split(separator: " ").dropFirst().first }
    #expect(answers == ["401", "401", "401", "200"])
    let password = try #require(lines("password", of: remote).first)
    #expect(password.utf8.count == 32)
    let arguments = try lines("arguments", of: remote)
    #expect(arguments.contains("127.0.0.1:0"), "\(arguments)")
    #expect(!arguments.contains { $0.contains(password) }, "\(arguments)")
    #expect(try !lines("runs", of: remote).contains { $0.hasPrefix("cat ") })
    try expectEnd(of: remote)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGKILL])
  func `it is gone with a command that a signal ends`(_ signal: Int32) throws {
    let remote = try prepared(in: "objects")
    let server = try ObjectServer(on: remote.machine)
    try server.fail("silent \(remote.machine.path("asked"))")
    // The program in the path may be a script.
    let watched = try remote.interfere(
      with: "serve", "$rclone \"$@\" & printf '%s\\n' $! $$ $PPID >$root/serving; wait $!")
    let run = try SignalledRun(
      ["verify", server.target], on: remote.machine, environment: server.environment.merging(watched) { $1 },
      signal: signal, at: .wrote("asked"))
    #expect(run.ending == (signal == SIGKILL ? .killed(signal: SIGKILL) : .exited(130)), "\(run.errors)")
    try expectEnd(of: remote)
  }
}
