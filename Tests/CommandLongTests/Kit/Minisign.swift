import TestSupport
import Testing

/// Public keys as minisign's manual page writes them, made without this program.
enum Minisign {
  /// Returns the line of a key in base64, with the identifier of another key if given.
  ///
  /// Both are in hex.
  static func publicKey(of signer: String, named: String? = nil) throws -> String {
    let script = """
      import base64, hashlib, sys
      key, named = (bytes.fromhex(text) for text in sys.argv[1:])
      print(base64.b64encode(b"Ed" + hashlib.sha256(named).digest()[:8] + key).decode())
      """
    let run = try BuiltBinary.run(program: "/usr/bin/python3", ["-c", script, signer, named ?? signer])
    return run.text.filter { !$0.isWhitespace }
  }
}
