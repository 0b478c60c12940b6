package import TestSupport
package import Testing

/// Types answers on a pseudo-terminal, which controls the program's session as a person's does.
package enum Typist {
  package static let python = "/usr/bin/python3"
  package static let isPossible = (try? BuiltBinary.run(program: python, ["-c", "import pty"]).status) == 0

  /// Waits for each prompt's text, types its answer, and prints all that the terminal showed.
  ///
  /// The answer `{made}` stands for the passphrase that the program has shown last. `TYPIST_COLUMNS` in the environment
  /// is how wide the terminal is; without it the terminal does not say.
  private static let script = """
    import fcntl, os, pty, re, struct, sys, termios, time, select
    count = int(sys.argv[1])
    pairs, command = sys.argv[2:2 + 2 * count], sys.argv[2 + 2 * count:]
    columns = int(os.environ.pop("TYPIST_COLUMNS", "0"))
    pid, tty = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24 if columns else 0, columns, 0, 0))
        os.execv(command[0], command)
    shown, seen, end = b"", 0, time.time() + 90
    for prompt, answer in zip(pairs[::2], pairs[1::2]):
        while shown.find(prompt.encode(), seen) < 0 and time.time() < end:
            if select.select([tty], [], [], 0.2)[0]:
                try:
                    shown += os.read(tty, 65536)
                except OSError:
                    end = 0
        if end == 0: break
        seen = shown.find(prompt.encode(), seen) + len(prompt)
        if answer == "{made}":
            answer = re.findall(rb"[a-z0-9]{4}(?:-[a-z0-9]{4}){4}", shown)[-1].decode()
        os.write(tty, answer.encode() if answer == "\\x03" else answer.encode() + b"\\n")
    try:
        while True:
            piece = os.read(tty, 65536)
            if not piece: break
            shown += piece
    except OSError:
        pass
    _, status = os.waitpid(pid, 0)
    sys.stdout.buffer.write(shown)
    sys.exit(os.waitstatus_to_exitcode(status) % 256)
    """

  /// The typist with its answers, to run a program through.
  package static func through(_ answers: [(String, String)]) -> [String] {
    [python, "-c", script, "\(answers.count)"] + answers.flatMap { [$0.0, $0.1] }
  }
}

extension Machine {
  /// Runs the program on a terminal and types answers, each once its prompt is shown.
  @discardableResult
  package func type(
    _ answers: [(String, String)], _ arguments: [String], inside outer: [String] = [],
    environment: [String: String] = [:], status: Int32? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> RunResult {
    try run(
      arguments, through: outer + Typist.through(answers), environment: environment, timeout: 120,
      status: status, sourceLocation: sourceLocation)
  }
}
