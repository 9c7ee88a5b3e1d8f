package dev.slipway.git;

/** The permissions of the files. */
public enum TreeMode {
  READ_ONLY("r--r--r--", "r-xr-xr-x", "r-xr-xr-x"),
  WRITABLE("rw-r--r--", "rwxr-xr-x", "rwxr-xr-x");

  final String file;
  final String program;
  final String directory;

  TreeMode(String file, String program, String directory) {
    this.file = file;
    this.program = program;
    this.directory = directory;
  }
}
