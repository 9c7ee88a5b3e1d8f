package dev.slipway.promises;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.promises.CommitCount.Place;
import dev.slipway.promises.Diary.Transition;
import dev.slipway.promises.KilledServerTest.Point;
import dev.slipway.promises.KilledServerTest.Side;
import dev.slipway.testbed.PostgresProxy;
import dev.slipway.testbed.PostgresProxy.Transaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What servers commit that no fault disturbs, and which transitions are written with it. */
final class Lessons {
  private static final String LOG_LINES = "insert step_logs";

  private final Map<Scenario, Lesson> learnt = new EnumMap<>(Scenario.class);

  /** What several lives of a kind had: which commits, in how many of them, and what they wrote. */
  private static final class Lesson {
    final Map<Place, Set<Transition>> places = new LinkedHashMap<>();
    final Map<Place, Integer> times = new HashMap<>();
    int lives;

    void add(Map<Place, Set<Transition>> life) {
      lives++;
      life.forEach(
          (place, transitions) -> {
            places.computeIfAbsent(place, p -> new LinkedHashSet<>()).addAll(transitions);
            times.merge(place, 1, Integer::sum);
          });
    }

    boolean always(Place place) {
      return times.get(place) == lives;
    }

    Set<Transition> transitions() {
      return places.values().stream().flatMap(Set::stream).collect(toSet());
    }
  }

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
    synchronized (learnt) {
      learnt.computeIfAbsent(scenario, s -> new Lesson()).add(places);
    }
  }

  /** Whether a commit of that kind can have written it: others may have ended meanwhile. */
  private static boolean writes(String commit, Transition transition) {
    String table =
        transition.of().equals("resource") ? "resource_transitions" : transition.of() + "s";
    return commit.matches(".*\\b" + table + "\\b.*");
  }

  /** All transitions that were seen. */
  Set<Transition> transitions() {
    return learnt.values().stream().flatMap(l -> l.transitions().stream()).collect(toSet());
  }

  /** Those that come with the commits of these points. */
  Set<Transition> transitions(Scenario scenario, Collection<Point> points) {
    return points.stream()
        .flatMap(point -> learnt.get(scenario).places.get(Place.of(point)).stream())
        .collect(toSet());
  }

  /** Those of the lives before that one. */
  Set<Transition> transitionsBefore(Scenario scenario) {
    Set<Transition> before = new HashSet<>();
    EnumSet.allOf(Scenario.class).stream()
        .takeWhile(earlier -> earlier != scenario)
        .forEach(earlier -> before.addAll(learnt.get(earlier).transitions()));
    return before;
  }

  /**
   * Whether every life had that commit. Others come and go with time: two ends may share a
   * transaction, and a look for work may find that another has done it.
   */
  boolean always(Scenario scenario, Point point) {
    return learnt.get(scenario).always(Place.of(point));
  }

  /**
   * Where to kill in that life: on both sides of every commit (in a short trial on one side when
   * there was one of its kind before), or of those that write a transition which no life before it
   * has.
   */
  List<Point> points(Scenario scenario) {
    Lesson lesson = learnt.get(scenario);
    Set<Transition> covered = transitionsBefore(scenario);
    List<Point> points = new ArrayList<>();
    lesson.places.keySet().stream()
        .sorted(Comparator.comparing(lesson::always, Comparator.reverseOrder()))
        .forEach(
            place -> {
              boolean whole = scenario.whole();
              if (whole ? bothSides(place) : covered.addAll(lesson.places.get(place))) {
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
