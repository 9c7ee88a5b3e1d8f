package dev.slipway.cli;

import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.value.KeyRing;
import dev.slipway.engine.value.Values;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The keys that secrets are sealed with. */
@Command(
    name = "key",
    description = "Shows and rotates the keys that secrets are sealed with.",
    subcommands = {KeyVerbs.Status.class, KeyVerbs.Rotate.class})
final class KeyVerbs extends Group {

  @Command(name = "status", description = "Shows the ids of the keys that each replica has.")
  static final class Status extends Verb {
    @Override
    public Integer call() throws Exception {
      show(api().get("/api/admin/keys", Map.of()), "sealing");
      return ExitCode.OK.code();
    }
  }

  @Command(
      name = "rotate",
      description =
          "Replaces the key that secrets are sealed with, while servers run, and seals everything"
              + " anew. Interrupted, it goes on where it was.")
  static final class Rotate extends Verb {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

    @Option(
        names = "--file",
        paramLabel = "FILE",
        description = "The key file of the server; DATA/secret.key unless named.")
    @Nullable Path file;

    @Option(
        names = "--timeout",
        paramLabel = "SECONDS",
        description = "How long to wait for replicas that have not got the file yet. 60.")
    long timeout = 60;

    @Override
    public Integer call() throws Exception {
      Path path =
          file == null ? ClientSettings.dataDirectory(System.getenv()).resolve("secret.key") : file;
      KeyFile keys = new KeyFile(path);
      KeyRing ring = keys.read();
      same(ring);
      if (ring.next().isEmpty() && ring.opening().isEmpty()) {
        ring = keys.write(ring.withNext(KeyFile.random()));
        err.println("1/4 key " + ring.next().orElseThrow() + " is in " + path);
      }
      if (ring.next().isPresent()) {
        String next = ring.next().get();
        await(path, "has no key " + next, r -> opens(r, next));
        ring = keys.write(ring.promoted());
        err.println("2/4 every replica has it, it seals from now on");
      }
      String sealing = ring.sealing();
      await(path, "does not seal with key " + sealing, r -> sealing.equals(r.get("sealing")));
      err.println("3/4 rows sealed anew: " + reseal(sealing));
      keys.write(ring.retired());
      err.println("4/4 the former keys are gone from " + path);
      err.println(
          "Copy it to the other replicas, and back it up apart from the database: the former copy"
              + " opens nothing new.");
      out.println(sealing);
      return ExitCode.OK.code();
    }

    /** The file of another server would be changed in vain. */
    private void same(KeyRing ring) throws Exception {
      Map<String, Object> known = api().get("/api/admin/keys", Map.of());
      if (replicas(known).stream().noneMatch(r -> ring.opens(String.valueOf(r.get("sealing"))))) {
        throw new Failure(
            ExitCode.CONFLICT,
            "the file has none of the keys that the server at " + settings().server() + " uses",
            "Name the file in that server's data directory with --file.");
      }
    }

    private void await(Path path, String lack, Predicate<Map<String, Object>> fits)
        throws Exception {
      Instant until = Instant.now().plusSeconds(timeout);
      while (true) {
        List<Object> behind =
            replicas(api().get("/api/admin/keys", Map.of())).stream()
                .filter(fits.negate())
                .map(r -> r.get("replica"))
                .toList();
        if (behind.isEmpty()) {
          return;
        }
        if (Instant.now().isAfter(until)) {
          throw new Failure(
              ExitCode.TIMEOUT,
              "not finished: " + behind + " " + lack,
              "Copy "
                  + path
                  + " to the data directory of each, with mode 0600, and run this again:"
                  + " it goes on where it stopped. Meanwhile everything works.");
        }
        Thread.sleep(BETWEEN_LOOKS);
      }
    }

    /** The states of the server's background task. */
    private enum Resealing implements State {
      IDLE,
      RUNNING,
      DONE,
      FAILED
    }

    private String reseal(String key) throws Exception {
      api().post("/api/admin/keys/reseal", Map.of(), Map.of());
      while (true) {
        Map<String, Object> progress =
            Values.map(api().get("/api/admin/keys", Map.of()).get("resealing"));
        switch (State.parse(Resealing.class, String.valueOf(progress.get("state")))) {
          case DONE -> {
            if (key.equals(progress.get("key"))) {
              return String.valueOf(progress.get("rows"));
            }
          }
          case FAILED ->
              throw new Failure(
                  ExitCode.FAILED,
                  "some secrets could not be sealed with the new key: " + progress.get("message"),
                  "Run this again: it goes on where it stopped. Meanwhile everything works.");
          case IDLE, RUNNING -> {}
        }
        Thread.sleep(BETWEEN_LOOKS);
      }
    }

    private static boolean opens(Map<String, Object> replica, String key) {
      return key.equals(replica.get("sealing")) || list(replica.get("opening")).contains(key);
    }

    private static List<Map<String, Object>> replicas(Map<String, Object> keys) {
      return list(keys.get("replicas")).stream().map(Values::map).toList();
    }

    private static List<?> list(@Nullable Object value) {
      return value instanceof List<?> list ? list : List.of();
    }
  }
}
