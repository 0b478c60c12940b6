// For all files of this module: what tests of resyncs share.
@_exported public import SyncSupport
