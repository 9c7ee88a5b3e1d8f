package dev.slipway.steps.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The user of this machine that runs programs of steps, so that they cannot read the server's key,
 * database and tokens. Only a server that runs as root can start programs as another user; programs
 * of any other server run as the server's own user.
 */
public record StepUser(int uid, int gid) {
  /** The default where the machine has this user. */
  public static final String USUAL = "slipway-steps";

  private static final Path SETPRIV = Path.of("/usr/bin/setpriv");
  private static final Path USERS = Path.of("/etc/passwd");
  private static final Pattern NUMBERS = Pattern.compile("(\\d{1,9})(?::(\\d{1,9}))?");

  /**
   * The configured user, or the default one if {@code configured} is empty; empty when programs run
   * as the server's own user.
   *
   * @throws IllegalArgumentException when the configured user cannot be used
   */
  public static Optional<StepUser> of(String configured) {
    if (!serverIsRoot()) {
      if (!configured.isEmpty()) {
        throw refused("only a server that runs as root can start programs as another user");
      }
      return Optional.empty();
    }
    Optional<StepUser> found = find(configured.isEmpty() ? USUAL : configured);
    if (found.isEmpty() && !configured.isEmpty()) {
      throw refused("this machine has no user '" + configured + "'");
    }
    found.ifPresent(StepUser::check);
    return found;
  }

  /** For the log: the user that runs programs. */
  public static String describe(String configured) {
    return of(configured).map(user -> "uid " + user.uid()).orElse("the server's own user");
  }

  private static void check(StepUser user) {
    if (user.uid() == 0) {
      throw refused("the user must not be root");
    }
    if (!Files.isExecutable(SETPRIV)) {
      throw refused(SETPRIV + " is missing, which starts programs as another user");
    }
  }

  private static IllegalArgumentException refused(String reason) {
    return new IllegalArgumentException("engine.limits.user: " + reason);
  }

  /** Whether the effective user of this process is root. */
  static boolean serverIsRoot() {
    return Integer.valueOf(0).equals(attribute(Path.of("/proc/self"), "unix:uid"));
  }

  private static @Nullable Object attribute(Path path, String name) {
    try {
      return Files.getAttribute(path, name);
    } catch (IOException | UnsupportedOperationException e) {
      return null;
    }
  }

  private static Optional<StepUser> find(String name) {
    Matcher numbers = NUMBERS.matcher(name);
    if (numbers.matches()) {
      String group = numbers.group(2) == null ? numbers.group(1) : numbers.group(2);
      return Optional.of(new StepUser(Integer.parseInt(numbers.group(1)), Integer.parseInt(group)));
    }
    try {
      return Files.readAllLines(USERS).stream()
          .map(line -> line.split(":"))
          .filter(fields -> fields.length > 3 && fields[0].equals(name))
          .map(fields -> new StepUser(Integer.parseInt(fields[2]), Integer.parseInt(fields[3])))
          .findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + USERS, e);
    }
  }

  /** The command prefix that drops to this user, irrevocably. */
  List<String> command() {
    return List.of(
        SETPRIV.toString(),
        "--reuid=" + uid,
        "--regid=" + gid,
        "--clear-groups",
        "--inh-caps=-all",
        "--no-new-privs",
        "--");
  }

  /** Makes the user the owner of a tree; changes links themselves and does not follow them. */
  public void own(Path tree) throws IOException {
    Files.walkFileTree(
        tree,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes is)
              throws IOException {
            return visitFile(directory, is);
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes is) throws IOException {
            Files.setAttribute(file, "unix:gid", gid, LinkOption.NOFOLLOW_LINKS);
            Files.setAttribute(file, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /**
   * Lets the user's group traverse the directories from {@code root} to {@code below}, but not list
   * them. Other users of the machine gain nothing.
   */
  void admit(Path root, Path below) throws IOException {
    for (Path each = below.getParent();
        each != null && each.startsWith(root);
        each = each.getParent()) {
      Set<PosixFilePermission> modes = Files.getPosixFilePermissions(each);
      boolean open = modes.contains(PosixFilePermission.OTHERS_EXECUTE);
      if (!open && !Integer.valueOf(gid).equals(Files.getAttribute(each, "unix:gid"))) {
        Files.setAttribute(each, "unix:gid", gid);
      }
      if (!open && modes.add(PosixFilePermission.GROUP_EXECUTE)) {
        Files.setPosixFilePermissions(each, modes);
      }
    }
  }

  boolean owns(Path path) throws IOException {
    return Integer.valueOf(uid).equals(Files.getAttribute(path, "unix:uid"));
  }
}
