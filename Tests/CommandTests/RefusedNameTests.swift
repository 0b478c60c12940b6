import FuekiSystem
import Glibc
import TestSupport
import Testing

/// Files that go back to a file system that does not take every name.
///
/// A library between the program and the system stands for the file system: it refuses names as FAT, NTFS and network
/// drives do, and takes two for one as they do.
@Suite(.enabled(if: RefusingFileSystem.library != nil, "this machine has no C compiler"))
struct RefusedNameTests {
  private func machine(_ names: [[UInt8]]) throws -> LostMachine {
    let pair = try LostMachine()
    for name in names {
      let path = pair.machine.path("home/").pathBytes + name
      let parts = path.split(separator: UInt8(ascii: "/"))
      let folder = Array(parts.dropLast().flatMap { [UInt8(ascii: "/")] + $0 })
      try Directory.makePrivateDirectories(folder)
      let file = try Directory.open(folder).createFile(Array(parts.last ?? []))
      try file.pwriteAll(name, at: 0)
    }
    try pair.create(["file:~/w"])
    try pair.restore()
    return pair
  }

  private func putBack(_ pair: LostMachine, _ more: [String] = []) throws -> RunResult {
    let preload = "LD_PRELOAD=\(RefusingFileSystem.library ?? "")"
    return try pair.putBack(
      more, through: ["/usr/bin/env", preload, "REFUSED=\(pair.machine.path("new-home"))"])
  }

  /// The contents of all files below the new home, which are the files' own names.
  private func contents(_ pair: LostMachine) throws -> Set<[UInt8]> {
    Set(try pair.snapshot(of: "new-home").filter { !$0.value.isEmpty }.values)
  }

  private static func bytes(_ names: [String]) -> [[UInt8]] { names.map { Array($0.utf8) } }

  @Test func `a refused name becomes a safe one, is listed with both, and the rest goes on`() throws {
    let refused = Self.bytes([
      "w/UTC--2021-02-03T04:05:06.1Z--ab.json", "w/what?", "w/dot.", "w/blank ", "w/con", "w/a:b/inside",
      "w/" + String(repeating: "long", count: 50),
    ])
    let latin: [UInt8] = Array("w/caf".utf8) + [0xE9]
    let fine = Self.bytes(["w/fine", "w/second"])
    let pair = try machine(refused + [latin] + fine)
    let run = try putBack(pair, ["--json"]).expect(0)
    #expect(try contents(pair) == Set(refused + [latin] + fine))
    let files = try run.json()["files"]?.elements ?? []
    let listed = files.filter { $0["refused_path"] != nil }
    #expect(listed.count == refused.count + 1)
    for file in listed {
      let path = try #require(file["path"]?.text)
      #expect(path.contains("~") && path != file["refused_path"]?.text)
      // That file system has small letters only.
      let name = path.dropFirst(pair.machine.path("new-home/").count).lowercased()
      #expect(pair.machine.exists("new-home/\(name)"), "\(path)")
    }
    let key = listed.compactMap { $0["path"]?.text }.first { $0.contains("UTC--") } ?? ""
    #expect(key.contains("/UTC--2021-02-03T04_05_06.1Z--ab~") && key.hasSuffix(".json"))
    // The next run finds them already there, and reports both names, too.
    let before = try pair.snapshot(of: "new-home")
    let again = try putBack(pair)
    #expect(again.status == 0 && again.errors.contains("does not accept that name"), "\(again.errors)")
    #expect(try pair.snapshot(of: "new-home") == before)
  }

  @Test(arguments: ["fail", "rename", "replace"])
  func `two names that the file system takes for one never overwrite each other`(_ policy: String) throws {
    let names = Self.bytes([
      "w/Wallet", "w/wallet", "w/WALLET", "w/Keys/one", "w/keys/one", "w/caf\u{E9}", "w/cafe\u{301}",
    ])
    let pair = try machine(names)
    for _ in 1...2 {
      try putBack(pair, ["--on-conflict", policy]).expect(0)
      #expect(try contents(pair) == Set(names))
      #expect(try pair.snapshot(of: "new-home").filter { !$0.value.isEmpty }.count == names.count)
    }
  }

  @Test func `a person's own file under a name that is the same there is in the way`() throws {
    let pair = try machine(Self.bytes(["w/Wallet.dat", "w/other.dat"]))
    try pair.write(Array("mine".utf8), to: "new-home/w/wallet.dat")
    try putBack(pair).expect(40)
    #expect(try contents(pair) == Set([Array("mine".utf8), Array("w/other.dat".utf8)]))
  }
}

/// The library that stands for such a file system, made once from C.
enum RefusingFileSystem {
  /// Its path; nil if it cannot be made here.
  static let library: String? = {
    let folder = "\(Environment.get("TMPDIR") ?? "/tmp")/fueki-refusing-\(UInt64.random(in: .min ... .max))"
    guard (try? Directory.makePrivateDirectories(folder)) != nil, (try? write(to: folder)) != nil else {
      return nil
    }
    atexit {
      let made = PathParts(library ?? "/nonexistent/a").folder
      _ = try? BuiltBinary.run(program: "/bin/rm", ["-rf", made])
    }
    for compiler in ["/usr/bin/cc", "/usr/bin/gcc", "/usr/bin/clang"] {
      let made = try? BuiltBinary.run(
        program: compiler, ["-shared", "-fPIC", "-o", "\(folder)/refusing.so", "\(folder)/refusing.c"])
      if made?.status == 0 { return "\(folder)/refusing.so" }
    }
    return nil
  }()

  private static func write(to folder: String) throws {
    try Directory.open(folder).createFile("refusing.c").pwriteAll(Array(source.utf8), at: 0)
  }

  private static let source = #"""
    #define _GNU_SOURCE
    #include <ctype.h>
    #include <dlfcn.h>
    #include <errno.h>
    #include <fcntl.h>
    #include <stdarg.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/stat.h>
    #include <unistd.h>

    static int below(int folder) {
      const char *root = getenv("REFUSED");
      char link[64], path[4096];
      if (!root || folder < 0) return 0;
      snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
      ssize_t count = readlink(link, path, sizeof path - 1);
      if (count < 0) return 0;
      path[count] = 0;
      return !strncmp(path, root, strlen(root));
    }

    /* The name as the file system has it; nothing if it takes no such name. */
    static const char *taken(int folder, const char *name, char *out) {
      if (!below(folder)) return name;
      size_t n = 0, count = strlen(name);
      if (count > 143) return NULL;
      for (size_t i = 0; i < count; i++) {
        unsigned char c = name[i];
        if (c < 32 || strchr("<>:\"|?*", c)) return NULL;
        if (c == 'e' && (unsigned char)name[i + 1] == 0xCC && (unsigned char)name[i + 2] == 0x81) {
          out[n++] = '\xC3';
          out[n++] = '\xA9';
          i += 2;
          continue;
        }
        if (c >= 0xE0 && (i + 2 >= count || ((unsigned char)name[i + 1] & 0xC0) != 0x80)) return NULL;
        out[n++] = tolower(c);
      }
      if (strcmp(name, ".") && strcmp(name, ".."))
        while (n > 1 && (out[n - 1] == '.' || out[n - 1] == ' ')) n--;
      out[n] = 0;
      return strcmp(out, "con") ? out : NULL;
    }

    #define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))
    #define NAME(to, folder, name, code) \
      char buffer_##to[512]; \
      const char *to = taken(folder, name, buffer_##to); \
      if (!to) return errno = code, -1;

    int fstatat(int folder, const char *name, struct stat *status, int flags) {
      NAME(own, folder, name, ENOENT)
      return REAL(int, fstatat, int, const char *, struct stat *, int)(folder, own, status, flags);
    }
    int openat(int folder, const char *name, int flags, ...) {
      va_list rest;
      va_start(rest, flags);
      mode_t mode = va_arg(rest, mode_t);
      va_end(rest);
      NAME(own, folder, name, flags & O_CREAT ? EINVAL : ENOENT)
      return REAL(int, openat, int, const char *, int, ...)(folder, own, flags, mode);
    }
    int mkdirat(int folder, const char *name, mode_t mode) {
      NAME(own, folder, name, EINVAL)
      return REAL(int, mkdirat, int, const char *, mode_t)(folder, own, mode);
    }
    int unlinkat(int folder, const char *name, int flags) {
      NAME(own, folder, name, ENOENT)
      return REAL(int, unlinkat, int, const char *, int)(folder, own, flags);
    }
    int linkat(int from, const char *old, int to, const char *new, int flags) {
      if (below(to)) return errno = EPERM, -1;
      return REAL(int, linkat, int, const char *, int, const char *, int)(from, old, to, new, flags);
    }
    int renameat(int from, const char *old, int to, const char *new) {
      NAME(a, from, old, ENOENT)
      NAME(b, to, new, EINVAL)
      return REAL(int, renameat, int, const char *, int, const char *)(from, a, to, b);
    }
    int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
      NAME(a, from, old, ENOENT)
      NAME(b, to, new, EINVAL)
      return REAL(int, renameat2, int, const char *, int, const char *, unsigned)(from, a, to, b, flags);
    }
    """#
}
