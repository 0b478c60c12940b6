public import FuekiCrypto
internal import FuekiWallet

/// Why an archive is kept.
public enum KeepReason: Hashable, Sendable {
  case last
  case period(Period, isOldest: Bool)
  case within
  /// The newest of its vault every byte of which is as it was written.
  case newestVerified
  /// The newest of its vault that this machine made or accepted.
  ///
  /// Newer ones may be anyone's.
  case newestKnown
  /// Another machine made it since the newest that this one knows, so that nothing shows what it alone has.
  case newerThanKnown
  /// The newest that this signer made, whose place no other machine took.
  ///
  /// A machine is a signer: another one's archives do not replace what only this one has.
  case newestOf(signer: Ed25519.PublicKey)
  /// No kept archive has as many slots of this kind.
  case onlyOneOpenedBy(String)
  /// The newest archive that has these things whole, whose loss was not accepted.
  case onlyOneWith([Absence])
  /// Most of the vault's archives are dated in the future: this machine's clock is wrong, so no time-based rule
  /// decides.
  case clockIsBehind
  /// It shares its place in the vault's history with another.
  case fork
  /// A kept archive holds only what differs from it.
  case base
  /// Another file has its digest and other bytes: one of them is damaged or forged.
  case otherBytes
  /// It is equal to the file of this name, and no name shows which of the two is the copy.
  case equal(to: String)
  /// The newest that verifies without a secret; nothing vouches for its seals, so it may be a copy that no key opens.
  case newestUnproven
  /// Archives of the vault verify, but nothing vouches for the seals of any, so that none is given up.
  case noneProven
  /// No archive of the vault verifies, so that none is given up.
  case noneVerifies

  /// A part of the calendar.
  public enum Period: String, CaseIterable, Sendable {
    case hourly
    case daily
    case weekly
    case monthly
    case yearly

    /// Returns a number for the period that contains a moment, equal for moments of one period.
    package func number(of seconds: Int64) -> Int64 {
      let days = seconds.flooredDays
      let date = CivilDate(daysSince1970: days)
      switch self {
      case .hourly: return days * 24 + (seconds - days * 86_400) / 3600
      case .daily: return days
      // 1970-01-01 was a Thursday.
      case .weekly: return (days + 3 - ((days + 3) % 7 + 7) % 7) / 7
      case .monthly: return date.year * 12 + date.month
      case .yearly: return date.year
      }
    }
  }
}
