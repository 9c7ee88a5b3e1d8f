package dev.slipway.programs;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A Go module of ours that pins programs: {@code go.mod} and {@code go.sum} pin every byte, and
 * {@code programs.properties} names the programs, how they are built and where they are kept.
 *
 * @param mod the text of go.mod
 * @param sum the text of go.sum
 * @param settings the text of programs.properties
 */
public record GoModule(String mod, String sum, String settings) {
  private static final String PROGRAM = "program.";

  /** The module in a directory. */
  public static GoModule in(Path directory) {
    try {
      return new GoModule(
          Files.readString(directory.resolve("go.mod")),
          Files.readString(directory.resolve("go.sum")),
          Files.readString(directory.resolve("programs.properties")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The module in a directory of the class path, beside that class. */
  public static GoModule beside(Class<?> owner, String directory) {
    return new GoModule(
        resource(owner, directory + "/go.mod"),
        resource(owner, directory + "/go.sum"),
        resource(owner, directory + "/programs.properties"));
  }

  private static String resource(Class<?> owner, String name) {
    try (InputStream in = owner.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + name + " beside " + owner.getName());
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The Go package of each program. */
  public SortedMap<String, String> packages() {
    SortedMap<String, String> packages = new TreeMap<>();
    Properties all = properties();
    for (String key : all.stringPropertyNames()) {
      if (key.startsWith(PROGRAM)) {
        packages.put(key.substring(PROGRAM.length()), all.getProperty(key));
      }
    }
    return packages;
  }

  /** The directory below the user's cache in which the programs are kept. */
  String cache() {
    return properties().getProperty("cache");
  }

  String tags() {
    return properties().getProperty("tags", "");
  }

  String linkerFlags() {
    return properties().getProperty("ldflags", "");
  }

  private Properties properties() {
    try {
      Properties properties = new Properties();
      properties.load(new StringReader(settings));
      return properties;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A digest of the files: programs built from others are built again. */
  String digest() {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      sha.update((mod + "\0" + sum + "\0" + settings).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(sha.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
