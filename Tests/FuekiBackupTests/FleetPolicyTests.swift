import FuekiArchive
import FuekiBackup
import FuekiCrypto
import Testing

/// The comparison of policies with each other and with the owner's rules.
struct FleetPolicyTests {
  private func file(_ text: String) -> SignedPolicy { SignedPolicy(bytes: Array(text.utf8), signature: "") }

  @Test func `two sets of rules keep everything that either keeps`() {
    var (own, other) = (RetentionRules(), RetentionRules())
    (own.last, own.daily) = (.number(3), .number(7))
    (other.last, other.daily, other.weekly) = (.number(5), .unlimited, .number(2))
    own.within = CalendarSpan("1m")
    other.within = CalendarSpan("31d")
    let both = own.union(other)
    #expect(both == other.union(own))
    #expect(both.last == .number(5) && both.daily == .unlimited && both.weekly == .number(2))
    #expect(both.within == CalendarSpan("1m31d") && both.within?.text == "1m31d")
    #expect(own.union(RetentionRules()) == own && RetentionRules().union(RetentionRules()).isEmpty)
  }

  @Test func `an earlier version and a second one of the same number are refused`() {
    let accepted = (number: 5, file: file("a"))
    #expect(PolicyRefusal.comparing((5, file("a")), to: accepted) == nil)
    #expect(PolicyRefusal.comparing((6, file("b")), to: accepted) == nil)
    #expect(PolicyRefusal.comparing((1, file("b")), to: nil) == nil)
    guard case .older(4, 5) = PolicyRefusal.comparing((4, file("b")), to: accepted),
      case .ambiguous(5) = PolicyRefusal.comparing((5, file("b")), to: accepted)
    else {
      Issue.record("an earlier version was accepted")
      return
    }
  }
}
