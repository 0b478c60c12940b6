import FuekiCollectors
import Testing
import fueki_backup

/// The messages about the dangers of a wallet's copy.
struct DangerTests {
  @Test(arguments: WalletDanger.allCases)
  func `every danger is told in words of its own`(_ danger: WalletDanger) {
    let sentence = danger.sentence
    #expect(sentence.count > 10)
    #expect(WalletDanger.allCases.count { $0.sentence == sentence } == 1, "\(sentence)")
    #expect(!sentence.contains(#/\b[a-z]+[A-Z][a-z]/#), "a name of the code's: \(sentence)")
  }
}
