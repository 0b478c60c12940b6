import Testing

struct CallCountTests {
  /// As strace -f -y writes it: two threads open a file to read, and their calls overlap.
  private static let reading = """
    2250  openat(AT_FDCWD</>, "/m/data/wallet.sqlite", O_RDWR|O_CREAT, 0600) = 5</m/data/wallet.sqlite>
    2252  openat(AT_FDCWD</>, "/m/data/wallet.sqlite", O_RDONLY|O_NOFOLLOW|O_CLOEXEC <unfinished ...>
    2253  openat(AT_FDCWD</>, "/m/data/wallet.sqlite", O_RDONLY|O_NOFOLLOW|O_CLOEXEC <unfinished ...>
    2252  <... openat resumed>)             = 7</m/data/wallet.sqlite>
    2253  <... openat resumed>)             = 20</m/data/wallet.sqlite>
    2253  close(20</m/data/wallet.sqlite>)  = 0
    2250  <... close resumed>)              = 0

    """

  @Test
  func `threads that only read are not counted as others, also where their calls overlap`() {
    #expect(CallCount.others(in: Array(Self.reading.utf8), root: "/m") == [])
  }

  @Test(arguments: [
    "2252  openat(AT_FDCWD</>, \"/m/data/wallet.sqlite\", O_RDWR|O_CREAT, 0600 <unfinished ...>",
    "2252  write(7</m/data/wallet.sqlite>, \"x\", 1 <unfinished ...>",
    "2252  unlink(\"/m/data/wallet.sqlite\") = 0",
  ])
  func `a thread that changes something is told, once`(_ line: String) {
    let trace = Self.reading + line + "\n2252  <... write resumed>) = 7</m/data/wallet.sqlite>\n"
    #expect(CallCount.others(in: Array(trace.utf8), root: "/m") == [line])
  }
}
