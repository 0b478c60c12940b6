// For all files of this module: what tests of the command line share.
@_exported public import CommandSupport
