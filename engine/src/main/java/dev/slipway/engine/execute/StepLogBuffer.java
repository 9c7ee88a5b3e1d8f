package dev.slipway.engine.execute;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Secrets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/** Gathers what one attempt of a step says: masked, at most 10 MiB, then a note and no more. */
final class StepLogBuffer implements StepLog {
  private static final int LARGEST = 10 * 1024 * 1024;
  private static final int LONGEST_LINE = 64 * 1024;

  /** Each one costs a search through every later line. */
  private static final int MOST_LEARNED = 200;

  private final UUID run;
  private final String step;
  private final int attempt;
  private final long epoch;
  private final InstantSource clock;
  private final AtomicReference<Secrets> secrets;
  private final Set<String> secretOutputs;
  private final AtomicInteger learned = new AtomicInteger();
  private final StringBuilder gathered = new StringBuilder();
  private long total;
  private AtomicInteger seq = new AtomicInteger();
  private LongSupplier stored = () -> 0;
  private volatile boolean full;

  /** Hides outputs of these names too. */
  StepLogBuffer(
      UUID run,
      String step,
      int attempt,
      long epoch,
      InstantSource clock,
      AtomicReference<Secrets> secrets,
      Set<String> secretOutputs) {
    this.secretOutputs = secretOutputs;
    this.run = run;
    this.step = step;
    this.attempt = attempt;
    this.epoch = epoch;
    this.clock = clock;
    this.secrets = secrets;
  }

  /**
   * Goes on where earlier calls of the attempt were.
   *
   * @param chunks counts the chunks of the attempt in this claim of the run
   * @param lines counts the lines of output in the store
   */
  StepLogBuffer after(AtomicInteger chunks, LongSupplier lines) {
    seq = chunks;
    stored = lines;
    return this;
  }

  @Override
  public long stored() {
    return stored.getAsLong();
  }

  @Override
  public void line(Stream stream, String text) {
    if (full) {
      return; // a step that floods its log is not worth searching for secrets
    }
    LoggedSecrets.in(text, secretOutputs).ifPresent(this::learn);
    String masked = LoggedSecrets.mask(known().mask(text), secretOutputs).replace('\0', '\uFFFD');
    if (masked.length() > LONGEST_LINE) {
      masked = masked.substring(0, LONGEST_LINE) + " ... (line cut)";
    }
    add(stream, masked);
  }

  private Secrets known() {
    return Objects.requireNonNull(secrets.get(), "the run sets its secrets before steps start");
  }

  private void learn(List<String> spoken) {
    if (learned.addAndGet(spoken.size()) <= MOST_LEARNED) {
      secrets.updateAndGet(known -> known.plus(spoken));
    }
  }

  private synchronized void add(Stream stream, String text) {
    if (full) {
      return;
    }
    total += text.length() + 1L;
    if (total > LARGEST) {
      full = true;
      write(Stream.NOTE, "log cut: a step keeps at most 10 MiB");
    } else {
      write(stream, text);
    }
  }

  private void write(Stream stream, String text) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("t", clock.instant().toString());
    line.put("s", stream.name().toLowerCase(Locale.ROOT));
    line.put("m", text);
    gathered.append(Json.write(line)).append('\n');
  }

  /** Whether the step has logged anything yet. */
  synchronized boolean used() {
    return total > 0;
  }

  /** What has gathered since the last time. */
  synchronized Optional<StepLogs.Chunk> take(Instant now) {
    if (gathered.isEmpty()) {
      return Optional.empty();
    }
    String lines = gathered.toString();
    gathered.setLength(0);
    return Optional.of(
        new StepLogs.Chunk(run, step, attempt, epoch, seq.getAndIncrement(), now, lines));
  }
}
