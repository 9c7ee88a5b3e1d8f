package dev.slipway.git;

import dev.slipway.git.GitFailure.Kind;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jgit.transport.URIish;
import org.jspecify.annotations.Nullable;

/**
 * A validated URL of a repository: a supported transport, no password, nothing that starts a
 * program.
 */
public final class RepositoryUrl {
  private static final Set<String> REMOTE = Set.of("https", "http", "ssh");
  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*)://.*");
  private static final Pattern SCP =
      Pattern.compile("([A-Za-z0-9._-]+)@([A-Za-z0-9][A-Za-z0-9.-]*):(?!/)(.+)");
  private static final int LONGEST = 2000;

  private final String text;
  private final URIish uri;

  /** The kinds of URLs that are allowed. */
  public enum Allow {
    /** Remote repositories only. */
    REMOTE,
    /** Also {@code file://}. */
    REMOTE_AND_FILES
  }

  private RepositoryUrl(String text, URIish uri) {
    this.text = text;
    this.uri = uri;
  }

  /**
   * Parses a URL. {@code user@host:path} is read as ssh, as git does.
   *
   * @throws GitFailure when it is not allowed
   */
  public static RepositoryUrl parse(String written, Allow allow) {
    String url = written.strip();
    if (url.isEmpty() || url.length() > LONGEST || url.chars().anyMatch(c -> c <= ' ')) {
      throw refused("a repository's URL is needed that has no spaces", url);
    }
    Matcher scp = SCP.matcher(url);
    if (scp.matches()) {
      url = "ssh://" + scp.group(1) + "@" + scp.group(2) + "/" + scp.group(3);
    }
    Matcher matcher = SCHEME.matcher(url);
    if (!matcher.matches()) {
      throw refused("'" + shown(url) + "' has no scheme that may be used", url);
    }
    String scheme = matcher.group(1).toLowerCase(Locale.ROOT);
    boolean file = scheme.equals("file");
    if (file && allow == Allow.REMOTE) {
      throw refused("repositories of this machine may not be used here", url);
    }
    if (!file && !REMOTE.contains(scheme)) {
      throw refused("'" + scheme + "' is no scheme that may be used", url);
    }
    URIish uri = uri(url);
    check(uri, file);
    return new RepositoryUrl(url, uri);
  }

  private static void check(URIish uri, boolean file) {
    if (uri.getPass() != null) {
      throw new GitFailure(
          Kind.URL_REFUSED,
          "the URL of " + shown(uri.toString()) + " holds a password",
          "Take it out of the URL and give it as credentials.");
    }
    String host = uri.getHost();
    if (file && host != null && !host.isEmpty() && !host.equals("localhost")) {
      throw refused("a file:// URL names no host: write file:///path", uri.toString());
    }
    if (!file && (host == null || host.isEmpty() || host.startsWith("-"))) {
      throw refused("'" + shown(uri.toString()) + "' names no host", uri.toString());
    }
    String path = uri.getPath();
    if (path == null || path.isEmpty() || path.equals("/") || path.startsWith("-")) {
      throw refused("'" + shown(uri.toString()) + "' names no repository", uri.toString());
    }
  }

  private static URIish uri(String url) {
    try {
      return new URIish(url);
    } catch (URISyntaxException e) {
      throw refused("'" + shown(url) + "' is no URL", url);
    }
  }

  private static GitFailure refused(String message, String url) {
    boolean path = url.startsWith("/") || url.startsWith(".") || url.startsWith("~");
    return new GitFailure(
        Kind.URL_REFUSED,
        message,
        path
            ? "Write file:// and the absolute path for a repository of this machine."
            : "Use https://, http://, ssh:// or file://.");
  }

  /** The URL without anything that may be a secret, for error messages. */
  private static String shown(String url) {
    return url.replaceAll("//[^/@]*@", "//");
  }

  /** The URL; it contains no secrets. */
  public String text() {
    return text;
  }

  /** The host; null for a file. */
  public @Nullable String host() {
    return isFile() ? null : uri.getHost();
  }

  /** Whether it is a repository of this machine. */
  public boolean isFile() {
    return uri.getScheme() != null && uri.getScheme().equalsIgnoreCase("file");
  }

  URIish uri() {
    return uri;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RepositoryUrl url && url.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
