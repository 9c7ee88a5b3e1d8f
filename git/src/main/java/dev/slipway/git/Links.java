package dev.slipway.git;

import dev.slipway.git.GitFailure.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * The symbolic links of a commit. Each is resolved as an operating system would, through other
 * links too, and none may leave the repository at any point, whether its target exists or not.
 *
 * @param links the target of each link by its path
 */
record Links(String commit, Map<String, String> links) {
  private static final int MOST_STEPS = 40;

  void check() {
    links.forEach(
        (path, target) -> {
          if (target.startsWith("/") || target.isEmpty() || target.indexOf('\0') >= 0) {
            throw refused(path, target);
          }
          follow(path, target);
        });
  }

  private void follow(String link, String written) {
    Deque<String> ahead = new ArrayDeque<>(List.of(link.split("/")));
    List<String> here = new ArrayList<>();
    int steps = 0;
    while (!ahead.isEmpty()) {
      String name = ahead.pop();
      if (name.isEmpty() || name.equals(".")) {
        continue;
      }
      if (name.equals("..")) {
        if (here.isEmpty()) {
          throw refused(link, written);
        }
        here.removeLast();
        continue;
      }
      here.add(name);
      String target = links.get(String.join("/", here));
      if (target != null) {
        if (++steps > MOST_STEPS || target.startsWith("/")) {
          throw refused(link, written);
        }
        here.removeLast();
        List<String> parts = List.of(target.split("/"));
        parts.reversed().forEach(ahead::push);
      }
    }
  }

  private GitFailure refused(String link, String target) {
    return new GitFailure(
        Kind.UNSAFE_CONTENT,
        "commit "
            + commit
            + " is not used: the link '"
            + TreeListing.shown(link)
            + "' to '"
            + TreeListing.shown(target)
            + "' leads out of the repository or nowhere",
        "Let links point inside the repository, or copy the file.");
  }
}
