package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Section;
import dev.slipway.engine.resolve.ProviderSource.Location;
import dev.slipway.engine.resolve.ProviderSource.RefKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads where in which repository a provider is, and how to get in. */
record GitSourceParser(Section entry) {
  private static final Pattern PASSWORD_IN_URL = Pattern.compile("[a-zA-Z+.-]+://[^/@]*:[^/]*@.*");
  private static final Pattern COMMIT = Pattern.compile("[0-9a-fA-F]{40}");
  private static final Map<String, RefKind> KINDS =
      Map.of(
          "ref", RefKind.ANY,
          "tag", RefKind.TAG,
          "branch", RefKind.BRANCH,
          "commit", RefKind.COMMIT);

  Location.Git parse() {
    String ref = "";
    RefKind kind = RefKind.ANY;
    for (String key : List.of("ref", "tag", "branch", "commit")) {
      Optional<String> written = entry.text(key);
      if (written.isPresent() && !ref.isEmpty()) {
        entry.error(
            key, "invalid-value", "only one of ref, tag, branch, commit may be given", null);
      } else if (written.isPresent()) {
        ref = written.get().strip();
        kind = KINDS.getOrDefault(key, RefKind.ANY);
        checkRef(key, ref);
      }
    }
    return new Location.Git(url(), ref, kind, path(), access());
  }

  private void checkRef(String key, String ref) {
    if (key.equals("commit") && !COMMIT.matcher(ref).matches()) {
      entry.error(
          key, "invalid-value", "no full commit id", "Write all 40 characters of the commit's id.");
    } else if (ref.isEmpty() || ref.startsWith("-") || ref.chars().anyMatch(c -> c <= ' ')) {
      entry.error(key, "invalid-value", "no name of a " + key, null);
    }
  }

  private String url() {
    String key = AdminConfigParser.either(entry, "url", "repository");
    String url = entry.requiredString(key).strip();
    if (!PASSWORD_IN_URL.matcher(url).matches()) {
      return url;
    }
    entry.error(
        key,
        "secret-in-url",
        "the URL holds a password",
        "Take it out and write credentials: ${env:NAME} or ${file:PATH}.");
    return url.replaceAll("//[^/@]*@", "//");
  }

  /** Below the repository: whatever leads out of it is refused here already. */
  private String path() {
    boolean left = entry.located("path").isEmpty();
    String path = left ? "." : entry.requiredString("path").strip();
    java.nio.file.Path normal = java.nio.file.Path.of(path).normalize();
    if (normal.isAbsolute() || normal.startsWith("..")) {
      entry.error(
          "path",
          "invalid-value",
          "'" + path + "' leads out of the repository",
          "Write the provider's directory as seen from the top of the repository.");
      return ".";
    }
    return normal.toString().isEmpty() ? "." : normal.toString();
  }

  private @Nullable GitAccess access() {
    if (!entry.has("credentials")) {
      return null;
    }
    if (entry.value("credentials").orElse(null) instanceof String) {
      String token = entry.string("credentials", "").strip();
      if (token.isEmpty()) {
        entry.error("credentials", "invalid-value", "the token is empty", null);
      }
      return new GitAccess.Password(null, token);
    }
    return entry.section("credentials").map(this::access).orElse(null);
  }

  private @Nullable GitAccess access(Section s) {
    s.only(AdminForms.GIT_CREDENTIALS.names());
    Optional<String> password = s.string("password").or(() -> s.string("token"));
    Optional<String> key = s.string("privateKey").or(() -> s.string("sshKey"));
    Optional<String> user = s.string("username");
    Optional<String> passphrase = s.string("passphrase");
    Optional<String> knownHosts = s.string("knownHosts");
    s.warnOfOtherKeys();
    if (password.isPresent() == key.isPresent()) {
      s.error(
          "invalid-value",
          "either a password or a private key is needed",
          "Write {username: NAME, password: ${env:PASSWORD}}, a token alone, or {privateKey:"
              + " ${file:KEY}, knownHosts: ${file:KNOWN_HOSTS}}.");
      return null;
    }
    if (password.isPresent()) {
      return new GitAccess.Password(user.orElse(null), password.get());
    }
    if (knownHosts.isEmpty()) {
      s.error(
          "invalid-value",
          "a private key needs knownHosts",
          "Write knownHosts: ${file:PATH} with what ssh-keyscan prints for the server.");
    }
    return new GitAccess.PrivateKey(key.get(), passphrase.orElse(null), knownHosts.orElse(""));
  }
}
