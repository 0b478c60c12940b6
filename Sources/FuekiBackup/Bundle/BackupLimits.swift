/// The most that one archive holds of the things that a restore handles one by one.
///
/// `create` names the source that would exceed a limit, and leaves it out: no restore finds it out first. The limits of
/// what an archive says of itself are in fueki-archive(5).
public enum BackupLimits {
  /// Files: a backup and a restore of so many keep their names and digests in memory, some 3 KiB each.
  public static let files = 1 << 18

  /// Key shares and private keys: each takes a place in the keychain, which is read whole and held in locked memory.
  public static let secrets = 1 << 16

  /// The bytes of these secrets and of what is said of them, which fit into a keychain of 256 MiB.
  public static let secretBytes = 192 << 20

  /// The holes of one file, which an archive stores as zeros.
  ///
  /// Apart from torrents and disk images, the largest sparse files of wallet programs have about 3 GiB of holes.
  public static let holeByteCount: UInt64 = 4 << 30
}
