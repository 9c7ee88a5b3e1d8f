package dev.slipway.server;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.engine.graph.Event;
import dev.slipway.postgres.Database;
import dev.slipway.steps.ShellExecutor;
import dev.slipway.web.Route;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.StringEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The types of events that the program can write, read from its classes: constants that look like a
 * type, in classes that have to do with events.
 */
final class WrittenEventTypes {
  private static final Pattern TYPE = Pattern.compile("[a-z]+\\.(?!yaml$)[a-z]+(-[a-z]+)*");

  /** As the compiler keeps {@code "resource." + state.text()}. */
  private static final String BY_STATE = "resource.\u0001";

  private static final List<Class<?>> MODULES =
      Stream.concat(
              Stream.of(
                  Event.class,
                  Database.class,
                  ShellExecutor.class,
                  Route.class,
                  SlipwayServer.class),
              BranchList.ALL.all().stream().map(Object::getClass))
          .toList();

  private WrittenEventTypes() {}

  static Set<String> all() {
    Set<String> types = new TreeSet<>();
    for (Class<?> module : MODULES) {
      try {
        Path place = Path.of(module.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isDirectory(place)) {
          read(place, types);
        } else {
          try (FileSystem jar =
              FileSystems.newFileSystem(URI.create("jar:" + place.toUri()), Map.of())) {
            read(jar.getPath("/"), types);
          }
        }
      } catch (URISyntaxException | IOException e) {
        throw new IllegalStateException(e);
      }
    }
    return types;
  }

  private static void read(Path root, Set<String> types) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      files.filter(f -> f.toString().endsWith(".class")).forEach(f -> read(parse(f), types));
    }
  }

  private static ClassModel parse(Path file) {
    try {
      return ClassFile.of().parse(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void read(ClassModel model, Set<String> types) {
    boolean tells = false;
    Set<String> found = new TreeSet<>();
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof Utf8Entry text) {
        tells |= text.stringValue().contains(Event.class.getName().replace('.', '/'));
      }
      if (entry instanceof StringEntry constant) {
        String text = constant.stringValue();
        if (text.equals(BY_STATE)) {
          Arrays.stream(ResourceState.values()).forEach(s -> found.add("resource." + s.text()));
        } else if (TYPE.matcher(text).matches()) {
          found.add(text);
        }
      }
    }
    if (tells) {
      types.addAll(found);
    }
  }
}
