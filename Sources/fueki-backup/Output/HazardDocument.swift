internal import FuekiBackup

/// A wallet that is dangerous when old or live twice, in JSON.
struct HazardDocument: Encodable {
  let wallet: String
  let name: String
  let hazards: [String]

  init(_ wallet: HazardousWallet) {
    self.wallet = wallet.idText
    name = wallet.name
    hazards = wallet.hazards
  }
}
