// Shared test support, for all files of this module.
@_exported public import SyncSupport
