internal import CProcess
internal import Glibc

/// A program that this one has started, and that ends no later than this one is interrupted.
///
/// It leads a session of its own, so that it has no terminal to type into, and what it started ends with it. A command of
/// the person's own stays in this program's group while that has the terminal, because it may have to ask there.
package final class StartedChild {
  package let process: Int32
  private let isForCleanup: Bool
  private let leadsGroup: Bool
  private let watch: Int32
  private var ending: ChildEnding?

  private static let turn = 0.02

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - command: the program and its surroundings.
  ///   - isForCleanup: whether it has ``Interruption/cleanupSeconds`` for its work after an interruption.
  /// - Throws: what starting it throws.
  package init(_ command: ChildCommand, isForCleanup: Bool = false) throws(SystemError) {
    self.isForCleanup = isForCleanup
    var command = command
    leadsGroup = !command.mayUseTerminal || fueki_has_terminal() == 0
    command.leadsSession = leadsGroup
    process = try command.start()
    watch = fueki_watch_child(leadsGroup ? -process : process)
  }

  deinit {
    if ending == nil { end() }
    fueki_forget_child(watch)
  }

  /// Whether the child has to end because of an interruption.
  var mustEnd: Bool {
    guard Interruption.wasRequested else { return false }
    return !isForCleanup || Interruption.age >= Interruption.cleanupSeconds
  }

  /// Returns the child's ending if it has ended, without waiting.
  package func poll() throws(SystemError) -> ChildEnding? {
    if ending == nil { ending = try ChildEnding.poll(process) }
    return ending
  }

  /// Waits for the child to end.
  ///
  /// - Throws: an error with ``SystemError/isInterrupted`` after an ``Interruption``; the child has ended by then.
  package func wait() throws(SystemError) -> ChildEnding {
    while true {
      if let ending { return ending }
      // A signal interrupts the call, and so does each turn after it.
      var status: Int32 = 0
      let ended = unsafe waitpid(process, &status, 0)
      if ended == process {
        ending = ChildEnding(status)
        continue
      }
      guard ended == -1, errno == EINTR else { throw SystemError(code: errno, call: "waitpid") }
      guard !mustEnd else {
        end()
        throw SystemError(code: EINTR, call: "waitpid")
      }
    }
  }

  /// Tells the child and what it started to end, and kills what has not ended after ``Interruption/childGrace``.
  ///
  /// The kernel ends killed processes one after another. Returns once no member of the group runs, or after the same
  /// time again.
  package func end() {
    signal(SIGTERM)
    // A stopped program acts on no other signal.
    signal(SIGCONT)
    waitBriefly { !isAlive }
    signal(SIGKILL)
    if ending == nil { ending = (try? ChildEnding.wait(for: process)) ?? .killed(signal: SIGKILL) }
    if leadsGroup { waitBriefly { !ProcessGroup.hasRunningMembers(process) } }
  }

  private func waitBriefly(until isDone: () -> Bool) {
    let deadline = SystemClock.monotonicSeconds + Interruption.childGrace
    while !isDone(), SystemClock.monotonicSeconds < deadline { SystemClock.sleep(seconds: Self.turn) }
  }

  /// Whether the child, or a member of its group, is there.
  private var isAlive: Bool {
    let ending = try? poll()
    return ending == nil || (leadsGroup && kill(-process, 0) == 0)
  }

  private func signal(_ number: Int32) {
    // A process that was waited for has given its id back; a group keeps its id as long as it has members.
    if leadsGroup { _ = kill(-process, number) } else if ending == nil { Descendants.signal(process, number) }
  }
}

/// The processes of one group.
private enum ProcessGroup {
  /// Whether a member of the group still runs; a zombie that its parent has not waited for does not.
  ///
  /// Assumes that one does if `/proc` cannot be read.
  static func hasRunningMembers(_ group: Int32) -> Bool {
    guard kill(-group, 0) == 0 else { return false }
    guard let entries = try? Directory.open("/proc").list() else { return true }
    return entries.contains { entry in
      guard let process = entry.text.flatMap({ Int32($0) }),
        let bytes = try? File.open("/proc/\(process)/stat").readAll(limit: 4096)
      else { return false }
      // The name, in parentheses, may have any characters; state, parent and group follow.
      let text = String(decoding: bytes, as: UTF8.self)
      let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
      return fields.count > 2 && fields[2] == "\(group)" && !["Z", "X"].contains(fields[0])
    }
  }
}

/// A process that leads no group, and the processes that it started.
private enum Descendants {
  private static let most = 256

  static func signal(_ process: Int32, _ number: Int32) {
    for process in all(of: process).reversed() { _ = kill(process, number) }
  }

  /// The process, then its children before theirs.
  private static func all(of process: Int32) -> [Int32] {
    var found = [process]
    var next = 0
    while next < found.count, found.count < most {
      let path = "/proc/\(found[next])/task/\(found[next])/children"
      let text = (try? File.open(path).readAll(limit: 1 << 16)) ?? []
      found += String(decoding: text, as: UTF8.self).split(separator: " ").compactMap { Int32($0) }
      next += 1
    }
    return found
  }
}
