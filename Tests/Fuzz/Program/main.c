// main() is in libFuzzer, and LLVMFuzzerTestOneInput in Targets/FuzzTarget.swift.
