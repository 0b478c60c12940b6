internal import FuekiBackup
internal import FuekiSystem

/// The result of checking the signature of a list of expected vaults.
enum ListSignature: String {
  /// It is by a required key.
  case verified
  /// There is one, and none is required.
  case notChecked = "not-checked"
  /// There is none, and none is required.
  case unsigned
}

/// The date of a signed list of expected vaults, which its signature covers.
enum ListDate {
  /// Compares it with the newest list that this machine has seen at the path, and remembers it.
  ///
  /// A machine whose state cannot be read or written remembers none.
  ///
  /// - Throws: a ``Failure`` for an older list, and for one without a date after one with a date.
  static func check(_ signature: FileSignature.Statement, _ path: String) throws {
    guard let state = try? Places.state() else { return }
    let place = ExactText(path)
    let newest = (try? state.listDate(of: signature.signer, at: place)) ?? nil
    if let newest, signature.time ?? 0 < newest { throw older(signature.time, than: newest, path) }
    // A clock that was ahead once must not shut out all later lists.
    let now = UInt64(max(0, SystemClock.now) / 1_000_000)
    guard let time = signature.time.map({ min($0, now) }), time > newest ?? 0 else { return }
    try? state.keep(listDate: time, of: signature.signer, at: place)
  }

  private static func older(_ time: UInt64?, than newest: UInt64, _ path: String) -> Failure {
    let signed = time.map { "was signed at \(Times.text($0))" } ?? "does not say when it was signed"
    return Failure(
      .older, "\(path) \(signed), and this machine has seen the list of \(Times.text(newest)) there",
      meaning: "a vault that was added since is missing from it. Nothing was judged by it",
      hint: "use the newest list. If its owner took something back, it is signed again: "
        + "fueki-backup key sign \(ShellWord.quoted(path))")
  }
}
