package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Function;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Slash-separated paths; the os variants are those of a Unix server. */
final class PathFunctions {
  private PathFunctions() {}

  static List<Function> all() {
    return new FunctionGroup("Paths")
        .add("base", "(path string) string", "the last element", c -> base(c.string(0)))
        .also("osBase")
        .add("dir", "(path string) string", "all but the last element", c -> dir(c.string(0)))
        .also("osDir")
        .add("clean", "(path string) string", "the shortest equal path", c -> clean(c.string(0)))
        .also("osClean")
        .add("ext", "(path string) string", "the file name extension", c -> extension(c.string(0)))
        .also("osExt")
        .add(
            "isAbs",
            "(path string) bool",
            "whether the path is absolute",
            c -> c.string(0).startsWith("/"))
        .also("osIsAbs")
        .all();
  }

  static String base(String path) {
    if (path.isEmpty()) {
      return ".";
    }
    int end = path.length();
    while (end > 0 && path.charAt(end - 1) == '/') {
      end--;
    }
    return end == 0 ? "/" : path.substring(path.lastIndexOf('/', end - 1) + 1, end);
  }

  static String dir(String path) {
    return clean(path.substring(0, path.lastIndexOf('/') + 1));
  }

  static String extension(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    int dot = name.lastIndexOf('.');
    return dot < 0 ? "" : name.substring(dot);
  }

  static String clean(String path) {
    boolean rooted = path.startsWith("/");
    Deque<String> kept = new ArrayDeque<>();
    for (String part : path.split("/")) {
      if (part.equals("..")) {
        if (!kept.isEmpty() && !kept.getLast().equals("..")) {
          kept.removeLast();
        } else if (!rooted) {
          kept.add(part);
        }
      } else if (!part.isEmpty() && !part.equals(".")) {
        kept.add(part);
      }
    }
    String joined = (rooted ? "/" : "") + String.join("/", kept);
    return joined.isEmpty() ? "." : joined;
  }
}
