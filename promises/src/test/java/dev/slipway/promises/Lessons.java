package dev.slipway.promises;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.promises.CommitCount.Place;
import dev.slipway.promises.Diary.Transition;
import dev.slipway.promises.KilledServerTest.Point;
import dev.slipway.promises.KilledServerTest.Side;
import dev.slipway.testbed.PostgresProxy;
import dev.slipway.testbed.PostgresProxy.Transaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is committed in lives that nobody disturbs, and which transitions are written with it. */
final class Lessons {
  private static final String LOG_LINES = "insert step_logs";

  private final Map<Scenario, Map<Place, Set<Transition>>> learnt =
      Collections.synchronizedMap(new EnumMap<>(Scenario.class));

  /** Watches a life. */
  void learn(Town town, Scenario scenario) {
    Map<Place, Set<Transition>> places = new LinkedHashMap<>();
    CommitCount count = new CommitCount();
    Diary diary = town.diary();
    town.life(
        scenario,
        new PostgresProxy.CommitWatch() {
          @Override
          public void before(Transaction transaction) {
            count.next(transaction);
          }

          @Override
          public void after(Transaction transaction) {
            synchronized (places) {
              count
                  .same(transaction)
                  .ifPresent(
                      place -> places.put(place, diary.news(t -> writes(place.commit(), t))));
            }
          }
        });
    assertThat(places).isNotEmpty();
    assertThat(places.keySet())
        .as("commits whose end was seen, of those whose beginning was, in " + scenario)
        .containsExactlyInAnyOrderElementsOf(count.all());
    learnt.put(scenario, places);
  }

  /** Whether a commit of that kind can have written it: others may have ended meanwhile. */
  private static boolean writes(String commit, Transition transition) {
    String table =
        transition.of().equals("resource") ? "resource_transitions" : transition.of() + "s";
    return commit.matches(".*\\b" + table + "\\b.*");
  }

  /** All transitions that were seen. */
  Set<Transition> transitions() {
    Set<Transition> all = new LinkedHashSet<>();
    learnt.values().forEach(places -> places.values().forEach(all::addAll));
    return all;
  }

  /**
   * Where to kill in that life: on both sides of every commit (in a short trial on one side when
   * there was one of its kind before), or of those that write a transition which no life before it
   * has.
   */
  List<Point> points(Scenario scenario) {
    Set<Transition> covered = new HashSet<>();
    for (Scenario before : Scenario.values()) {
      if (before == scenario) {
        break;
      }
      learnt.get(before).values().forEach(covered::addAll);
    }
    List<Point> points = new ArrayList<>();
    learnt
        .get(scenario)
        .forEach(
            (place, transitions) -> {
              boolean whole = scenario.whole();
              if (whole ? bothSides(place) : covered.addAll(transitions)) {
                points.add(place.at(Side.BEFORE));
                points.add(place.at(Side.AFTER));
              } else if (whole && counts(place)) {
                points.add(place.at(side(points.size())));
              }
            });
    return points;
  }

  /** One side or the other, as the seed wants it: trials take turns. */
  private static Side side(int number) {
    return (Trial.SEED + number) % 2 == 0 ? Side.BEFORE : Side.AFTER;
  }

  private static boolean bothSides(Place place) {
    return place.occurrence() == 1 || Trial.isLong();
  }

  /** Log lines are written as time allows: in a short trial the first ones stand for the others. */
  private static boolean counts(Place place) {
    return Trial.isLong() || !place.commit().equals(LOG_LINES) || place.occurrence() == 1;
  }
}
