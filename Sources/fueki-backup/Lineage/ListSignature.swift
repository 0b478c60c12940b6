/// The result of checking the signature of a list of expected vaults.
enum ListSignature: String {
  /// It is by a required key.
  case verified
  /// There is one, and none is required.
  case notChecked = "not-checked"
  /// There is none, and none is required.
  case unsigned
}
