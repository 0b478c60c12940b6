/// Places whose files are run or obeyed without anybody opening them: nothing is ever put there.
enum StartupPlaces {
  /// Whether a path below a home directory is one, whoever's home it is.
  static func contains(_ names: [[UInt8]]) -> Bool {
    let lower = names.map { String(decoding: $0, as: UTF8.self).lowercased() }
    if lower.contains(where: { anywhere.contains($0) }) { return true }
    guard let first = lower.first else { return false }
    if lower.count == 1 {
      return files.contains(first) || first.hasPrefix(".bash") || first.hasPrefix(".zsh")
        || first.hasPrefix(".xsession")
    }
    let path = lower.joined(separator: "/")
    return folders.contains { path == $0 || path.hasPrefix($0 + "/") }
  }

  /// Names that are dangerous below any folder.
  private static let anywhere: Set<String> = [
    ".git", ".ssh", ".direnv", "authorized_keys", ".envrc", "crontabs", "cron.d", "native-messaging-hosts",
    "nativemessaginghosts",
  ]

  private static let files: Set<String> = [
    ".profile", ".login", ".logout", ".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".inputrc", ".pam_environment",
    ".xinitrc", ".xprofile", ".xresources", ".xserverrc", ".xbindkeysrc", ".dmrc", ".forward", ".procmailrc",
    ".gitconfig", ".hgrc", ".npmrc", ".netrc", ".rhosts", ".shosts", ".k5login", ".vimrc", ".gvimrc", ".exrc",
    ".emacs", ".nanorc", ".gdbinit", ".lldbinit", ".screenrc", ".tmux.conf", ".muttrc", ".pythonrc", ".irbrc",
    ".rprofile", ".psqlrc", ".sqliterc", ".wgetrc", ".curlrc", ".crontab",
  ]

  private static let folders = [
    "bin", ".bin", ".cargo", ".config/autostart", ".config/autostart-scripts", ".config/containers/systemd",
    ".config/direnv", ".config/environment.d", ".config/fish", ".config/fueki-backup", ".config/git",
    ".config/hypr", ".config/i3", ".config/nushell", ".config/nvim", ".config/openbox",
    ".config/plasma-workspace", ".config/sway", ".config/systemd", ".config/upstart", ".config/zsh",
    ".emacs.d",
    ".gnupg", ".kde", ".kde4", ".local/bin", ".local/lib", ".local/share/applications",
    ".local/share/dbus-1", ".local/share/fueki", ".local/share/gnome-shell", ".local/share/kservices5",
    ".local/share/nautilus", ".local/share/plasma", ".local/share/systemd", ".local/state/fueki-backup",
    ".oh-my-zsh", ".vim",
  ]
}
