import Testing
import fueki_backup

/// Which file system holds a folder, and whether it is a disk of this machine.
struct MountTableTests {
  private static let table = MountTable(
    """
    22 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw
    30 22 8:17 / /run/media/ada/My\\040Disk rw,nosuid shared:2 - exfat /dev/sdb1 rw
    31 22 0:50 / /media/ada/nas rw - nfs4 nas:/export rw
    32 22 0:51 / /media/ada/cloud rw - fuse.rclone cloud: rw
    33 22 0:52 / /media/ada/share rw - cifs //server/share rw
    34 22 0:53 / /media/ada/dav rw - fuse.davfs https://dav.example rw
    35 22 0:54 / /media/ada/host rw - 9p host rw
    36 22 8:33 / /media/ada/stick rw - ext4 /dev/sdc1 rw
    37 36 0:55 / /media/ada/stick/phone rw - fuse.sshfs ada@phone: rw
    38 22 8:49 / /media/ada/twice rw - vfat /dev/sdd1 rw
    39 38 0:56 / /media/ada/twice rw - nfs nas:/twice rw
    40 22 0:57 / /media/ada/later rw - newfs2031 /dev/sde1 rw
    41 22 8:65 / /media/ada/windows rw - fuseblk /dev/sdf1 rw
    42 22 0:58 / /media/ada/memory rw - tmpfs tmpfs rw
    a line of another form
    """)

  @Test(arguments: [
    ("/run/media/ada/My Disk/backups", "exfat", true), ("/media/ada/stick", "ext4", true),
    ("/media/ada/windows/x", "fuseblk", true), ("/media/ada/nas/backups", "nfs4", false),
    ("/media/ada/cloud", "fuse.rclone", false), ("/media/ada/share/x", "cifs", false),
    ("/media/ada/dav", "fuse.davfs", false), ("/media/ada/host", "9p", false),
    ("/media/ada/stick/phone/x", "fuse.sshfs", false), ("/media/ada/twice/x", "nfs", false),
    ("/media/ada/later", "newfs2031", false), ("/media/ada/memory", "tmpfs", false),
  ])
  func `only known file systems on block devices are a disk`(_ path: String, _ type: String, _ isDisk: Bool)
    throws
  {
    let mount = try #require(Self.table.mount(holding: path))
    #expect(mount.type == type && mount.isOfLocalDisk == isDisk)
  }

  @Test func `a folder whose name only begins like a mount point is not below it`() throws {
    let mount = try #require(Self.table.mount(holding: "/media/ada/stick2/backups"))
    #expect(mount.folder == "/")
    #expect(Self.table.mounts.count == 14)
  }
}
