package dev.slipway.cli;

import dev.slipway.engine.value.KeyRing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;

/** The file with the keys of a server, replaced as a whole: a reader never sees half of it. */
record KeyFile(Path path) {
  static byte[] random() {
    byte[] key = new byte[KeyRing.KEY_BYTES];
    new SecureRandom().nextBytes(key);
    return key;
  }

  KeyRing read() {
    try {
      return KeyRing.parse(Files.readString(path));
    } catch (IOException e) {
      throw new Failure(
          ExitCode.FAILED,
          "cannot read " + path + ": " + e.getMessage(),
          "Name the key file of the server with --file, and run this as a user who may change it.");
    } catch (IllegalArgumentException e) {
      throw new Failure(ExitCode.FAILED, path + " holds no keys: " + e.getMessage());
    }
  }

  /** Keeps the owner: the server has to read it. Answers what it wrote. */
  KeyRing write(KeyRing keys) {
    Path fresh = path.resolveSibling("." + path.getFileName() + ".new");
    try {
      Files.deleteIfExists(fresh);
      Files.createFile(
          fresh,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(fresh, keys.text(), StandardOpenOption.SYNC);
      if (!Files.getOwner(fresh).equals(Files.getOwner(path))) {
        Files.setOwner(fresh, Files.getOwner(path));
      }
      Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return keys;
    } catch (IOException e) {
      throw new Failure(
          ExitCode.FAILED,
          "cannot write " + path + ": " + e.getMessage(),
          "Nothing is lost: the keys from before are in force. Run this as a user who may change"
              + " the file; where it is provided from elsewhere, change it there.");
    }
  }
}
