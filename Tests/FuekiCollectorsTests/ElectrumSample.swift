/// A wallet file encrypted as a whole by Electrum 4.3.4, with `electrum_files.py` and the script's
/// passphrase.
enum ElectrumSample {
  static let passphrase = "pässword 1"

  static let whole = """
    QklFMQMMaQB7B1XHI9OdLS+kjBg+55TXIJ97l70Y6y9ZU4qsNdaSQzNWfTCMIrOGfKp+6iSbNqGProTV5B1GaSOmzY7jDUY6alhS
    Ru+/Xz7IcrHRjalNO5weqZAkKsJB/zdP4ugQUcNWMgZQGcfrJ/S8WSnN13qexouBDxQqrBuScWpIHUZoHRFMZhPqi5CweS8nrlR+
    TUbLnkEJvb61SKoGmpF1+ooGuqchTloewpdItf2VurP3xOUisFTaa+zCBf5T6gn9xUchkCscKG3lHUoe+1w4OrMNHF4XfL2ssIjF
    EO7q8dDIZyuHso/sr6ABVDRhalf1XTXczbEzrRd1LDNMim74SshHDNHZMzWmqRh+eZA0n2MNDAlrJfQKuUOaVFj52VOTT49oSWfq
    bvwmXzPqBJ6UfI/SDJMzxKVSvwoHa0jplvXB0VsZlQGIKYQ9vG4UOgW8b/0yTZPK7MRn6bUJ4gvUHIBqb9J0yht0a+6jsc+gaAfE
    wkBQIsd1cMmGoec4S+OaTpbu6edmItD9PY/7LfJot99RS8EN4MiNC2slSUto6NQHcBZqcl3Bfb30cx18hfNwtcTxQtedZnC+k76M
    okngGj1pM0ME1DiVDqGOGITcmkP8LVJ18Hv9gYRHZUgqqQgXjQHpcQcrXXjVpyvpQDGi+FdpK4wkYHIiq81D6lsvXNwRxZLgqPTI
    A3L9Et19E6nfqZ9VE7H1grxWkAA1tAiINLZaRsTVmPc/RNQOjvGH4snwPWJDvRz3MjIDleGnZ7J2Dod5hJTn1qoTYmCmJ3ghpIEx
    Aqapa5nFfwuXN093KbBEzdXzynnstz1SXGweeMwvARKED+c1zOAYCBjaU/e0qCsonC9Huatgx0TZ6SBcPZQHoZW0RsF7fJe1lJPe
    DMUiG/x+CqcGzbOusnCt7h5/DxHgYGQYifc0NNKImhUbLzwOqVc6VowuaIPewhm2mywmOZtMFpwiuRR7Q/jMAD4MZW8LNXnW0VUw
    0XlRR5pgk9NmzyrTnfmZuv/ufgI1ftfH+HpENZyRbUPyeBbEr4Hm5zbb9GQQEf7D3oBVmvbs/tpxe87lp661NIZFPvTAZA3KgDZs
    XA9hqb3VV2vM1ya27Jpuq6nb/N497GdeRfeqjPRM+21+ktMhxaJ9Hxk2gLAsijYpcyrZPUk9SEhvgBNb+tbB3HqZuK5WlZpkoX9B
    nY5AUQmtM8E+OiqPDPGbcXPSEuzKmqw3nT4fqEXkvTiOt37p6wDjtKSLvL+3T4D/m8IbHi4IOxE1Sp39C+BK8gBxrCmJ1Pr0WWE/
    NrgPICxPoYOfwmKAg2DOUMCob3csipBY6G/WCrJ9DuHQNPvlo6wp7kU/Duk3HesopFNvzA+PIK1F35R0ELvtThHGFOp4TKyiAZ5y
    nzB3a8oOp1Tf3Jlq7e0Qx+qY33I+zF4ffPVLVos85DsYv799eNBZzq4GKFyT7Y7zIQc6wti+B5qmiwgombPTFZGMUXP/3wkhO4E+
    12FQcOaUP+TwGVl/lXN35v5z/i2xwKan+KFZly4A+Jh7ElxM76U9gM/x5+GA2xKWTUMiVGUnlftNiU/PCEvJNRbdr+jazB+CEJ9N
    dSU0GYnwqdYuZ6NeskjQbifZv+7nY0sVy8VoLgw6U37+RqeBCVkyL2d6G7NNPEeaL2T1K5izfRQeQy9pN1UZoOZNJ459H2011jQS
    ZDRNss/wYAEpU8QeqnsCsmCgzx6wAdxgG4QwwcudWwVqW1dWlYAvR24iu1Z3RE0uKLq1zbGsdSos07Hq+ZZ2vTHI0K9V/Im5omSh
    ilD381Ld77eBYP0WvxzIcdwTQAVfrzl5kXGMa4xCBJZ2ERzj5UXI9YUXFwFlaohMxGq4U77nXji8/lw4ZNRTQroL+vDfJN69aMO6
    +e9XrA==
    """.filter { $0 != "\n" }

  static let seed = "salmon nut prepare actual steel elder strike crawl hint thank unhappy river"
  static let privateKey =
    "vprv9H2uivTFNgvKZfd2kkpc8CX5Sjcm6VvVPPbLBby74m1TEdig9njNTxgzpfrcHtBdA53MuFWeyNKZYAsSk61riyFZ4W9fDYmvrJg4RTEiTLZ"
  static let address = "bcrt1q6kgy95k7t9kduyukjzfpmmp34juy6as5xxmmsp"
}
