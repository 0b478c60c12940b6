internal import FuekiBackup

extension HoldReason {
  /// Returns the page next to the file, with instructions for its owner.
  func page(name: String) -> String {
    let what =
      switch self {
      case .channels:
        """
        This file holds Lightning channels as they were when the backup was made.
        If they moved since, a program that finds it can lose all the money in them: the other side may take it as a
        penalty for an old state.

        If the old machine still works, close the channels there and leave this file alone. Otherwise let the other side
        close them. The coins then come back to the addresses of the wallet's seed:

        Electrum: restore the wallet from its seed words under a new name. In the Channels tab, import each channel
        backup that you saved, and choose Request force-close. Without a channel backup, ask the other side to close.
        LND: set up a new node from its seed words, then: lncli restorechanbackup --multi_file channel.backup
        Core Lightning: start a new node with the old hsm_secret and emergency.recover, then: lightning-cli emergencyrecover

        Only if you know that the channels did not move since the backup, stop the program and rename the file.
        """
      case .channelBackup:
        """
        This is a static channel backup. Restoring it asks every peer to close its channel, and it does not know
        channels that were opened after the backup was made.

        First restore the node's wallet from its seed or hsm_secret, on one machine, with the old one off for good.
        If you have a newer static channel backup, use that one. Then rename the file, and restore it with the node's
        own command: lncli restorechanbackup --multi_file FILE, or lightning-cli emergencyrecover.
        """
      case .validatorKey:
        """
        This is the key of a validator. Two machines that sign with it are slashed.

        Make sure that the old machine is off and stays off, and that its slashing record (EIP-3076) is imported here.
        Wait until that record's age is certainly past, two epochs at least. Then import the key with the client's own
        command, or rename the file.
        """
      case .slashingRecord:
        """
        This is what a validator had signed when the backup was made. Later signatures are not in it.

        Import it with the client's own command, which merges it with the record that is there. Never put it in the
        place of a newer one.
        """
      }
    return """
      \(TerminalText.line(name)) was put here by fueki-backup under a name that its program does not look for.

      \(what)
      """ + "\n"
  }
}
