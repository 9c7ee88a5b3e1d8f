package dev.slipway.promises;

import static dev.slipway.promises.Deed.answer;
import static dev.slipway.promises.Deed.becomes;
import static dev.slipway.promises.Deed.cancelWhen;
import static dev.slipway.promises.Deed.deploy;
import static dev.slipway.promises.Deed.deployTwo;
import static dev.slipway.promises.Deed.gone;
import static dev.slipway.promises.Deed.remove;
import static dev.slipway.promises.Deed.retry;
import static dev.slipway.promises.Deed.step;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A kind of life that an application can have, and what a client does in it. */
enum Scenario {
  PLAIN("plain", "active", Map.of("one", 1, "two", 1), deploy(), becomes("active")),
  PARALLEL(
      "parallel", "active", Map.of("left", 1, "right", 1, "last", 1), deploy(), becomes("active")),
  RETRYING("retrying", "active", Map.of("flaky", 2, "after", 1), deploy(), becomes("active")),
  UNDOING(
      "undoing",
      "failed",
      Map.of("make", 1, "more", 1, "fail", 1, "undo", 1, "undo-more", 1),
      deploy(),
      becomes("failed")),
  APPROVING(
      "approving",
      "active",
      Map.of("before", 1, "after", 1),
      deploy(),
      becomes("active", answer(Map.of("sign", "approve")))),
  CANCELLED(
      "lasting",
      "failed",
      Map.of("first", 1),
      deploy(),
      becomes("failed", cancelWhen("rest", "waiting"))),
  NESTED(
      "nested",
      "active",
      Map.of("outer", 1, "one", 1, "two", 1, "end", 1),
      deploy(),
      becomes("active")),
  DEPROVISIONING(
      "plain",
      "deleted",
      Map.of("one", 1, "two", 1, "drop", 1),
      List.of(deploy(), becomes("active")),
      remove(),
      gone()),

  // From here on a server is killed only where something is written that was not written before.

  /** A step is stopped while it executes, and what always runs still does. */
  STOPPED(
      "stopping",
      "failed",
      Map.of("first", 1, "tidy", 1),
      deploy(),
      becomes("failed", cancelWhen("hold", "running"))),
  /** Steps are skipped, cannot be rendered, expire and fail below, and the run gets to its end. */
  LIMPING(
      "limping",
      "active",
      Map.of("one", 1, "no", 1, "passing", 2, "last", 1),
      deploy(),
      becomes("active")),
  /** A manual step is let begin, an approval is refused, and not all can be undone. */
  ASKED(
      "asking",
      "failed",
      Map.of("make", 1, "more", 1, "manual", 1, "undo", 1, "undo-more", 1),
      deploy(),
      becomes("failed", answer(Map.of("manual", "approve", "sign", "reject")))),
  /** Creation and update fail once and are tried again, without what had succeeded. */
  STUMBLING(
      "stumbling",
      "active",
      Map.of("first", 1, "create", 2, "again", 1, "update", 2),
      deploy(1),
      becomes("failed"),
      retry("create"),
      becomes("active"),
      deploy(2),
      becomes("failed"),
      retry("update"),
      becomes("active")),
  /** Updates fail and are undone. */
  FRAGILE(
      "fragile",
      "deleted",
      Map.of("one", 1, "two", 1, "make", 2, "fail", 2, "undo", 2, "drop", 1),
      List.of(deploy(1), becomes("active")),
      deploy(2),
      becomes("degraded"),
      deploy(3),
      becomes("degraded"),
      remove(),
      gone()),
  /** Fails, is asked for anew, fails, does not go, goes, and comes again. */
  HOPELESS(
      "hopeless",
      "failed",
      Map.of("fail", 3, "drop", 2),
      List.of(deploy(1), becomes("failed")),
      deploy(2),
      becomes("failed"),
      remove(),
      becomes("failed"),
      retry("delete"),
      gone(),
      deploy(3),
      becomes("failed")),
  /** The second resource needs something of the first that is not there. */
  NEEDY(
      "plain",
      "deleted",
      Map.of("one", 1, "two", 1, "drop", 1),
      deployTwo(),
      becomes("failed"),
      remove(),
      gone()),
  /** Goes while the first resource is being made and the second waits for it. */
  UNWANTED(
      "stopping",
      "deleted",
      Map.of("first", 1, "tidy", 1, "drop", 1),
      deployTwo(),
      step("hold", "running"),
      remove(),
      gone());

  final String type;

  /** In which state the resource ends. */
  final String end;

  /** How many keys the witness must have seen for each effect. */
  final Map<String, Integer> effects;

  /** What comes before the interesting part. */
  final List<Deed> before;

  /** All that is done, with what comes before. */
  final List<Deed> deeds;

  Scenario(String type, String end, Map<String, Integer> effects, Deed... deeds) {
    this(type, end, effects, List.of(), deeds);
  }

  Scenario(
      String type, String end, Map<String, Integer> effects, List<Deed> before, Deed... deeds) {
    this.type = type;
    this.end = end;
    this.effects = effects;
    this.before = before;
    this.deeds = Stream.concat(before.stream(), Stream.of(deeds)).toList();
  }

  /** Whether each of its commits is worth a kill, or only those that no other life has. */
  boolean whole() {
    return compareTo(DEPROVISIONING) <= 0 || Trial.isLong();
  }
}
