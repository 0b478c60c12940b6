import FuekiBackup
import Testing
import fueki_backup

/// The messages about a wallet's backup.
struct FindingWordingTests {
  static let results: [WalletFinding.Result] =
    WalletFinding.Evidence.allCases.map { .proved($0) } + WalletFinding.Gap.allCases.map { .notProved($0) }
    + WalletFinding.Fault.allCases.map { .faulty($0) } + [.publicPart(), .withoutSeed]
    + WalletFinding.Evidence.allCases.map { .publicPart($0) }

  @Test(arguments: results) func `every code is told in words of its own`(_ result: WalletFinding.Result) {
    let sentence = result.sentence
    #expect(sentence.count > 10)
    #expect(Self.results.count { $0.sentence == sentence } == 1, "\(sentence)")
    #expect(!sentence.contains(#/\b[a-z]+[A-Z][a-z]/#), "a name of the code's: \(sentence)")
    #expect(!sentence.contains(#/[a-z]-[a-z]+-[a-z]/#), "a code: \(sentence)")
    let opening =
      switch result {
      case .proved: "whole and proved"
      case .notProved(.workLimit), .notProved(.readerFailed): "kept, not read: "
      case .notProved: "whole, not proved ("
      case .publicPart: "public part only"
      case .withoutSeed: "cannot spend: seed left out"
      case .faulty: "NOT SOUND: "
      }
    #expect(sentence.hasPrefix(opening))
  }

  @Test func `a line names kind and wallet, and what it is about where that is known`() {
    var finding = WalletFinding(kind: "electrum", name: "default_wallet", .notProved(.needsPassword))
    #expect(finding.line == "electrum \"default_wallet\": whole, not proved (needs its password)")
    finding.result = .proved(.address)
    finding.detail = "bc1q"
    #expect(
      finding.line == "electrum \"default_wallet\": whole and proved: its keys lead to its address; bc1q")
  }
}
