package dev.slipway.applications.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.applications.plan.Planner.Question;
import dev.slipway.engine.resolve.AdminConfig.Enforcement;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of resources that a document of the application {@code shop} leaves out. */
class RemovalsTest {

  private static Planned plan(@Nullable String wanted, String known, Set<String> orphan) {
    Question question =
        new Question(
            ResourceWords.SHOP,
            "shop-team",
            null,
            Set.of(),
            orphan,
            Optional.empty(),
            Enforcement.OFF);
    return new Planner(TableOffers.offers(), ParamWords.BOX)
        .plan(WantedWords.read(wanted), question, ResourceWords.all(known));
  }

  private static String text(Planned planned) {
    String removals =
        planned.removals().stream()
            .map(r -> r.known().name() + " " + r.kind().name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    String problems = PlanText.problems(planned);
    return problems.isEmpty() ? removals : removals + "; " + problems;
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                            | recorded                                          | leave alone | removals
          there                                             | db: active                                        |             | db delete
          degraded                                          | db: degraded                                      |             | db delete
          failed                                            | db: failed attempted=1                            |             | db delete
          being created                                     | db: provisioning running                          |             | db delete
          being updated                                     | db: updating running                              |             | db delete
          being deleted already                             | db: deprovisioning running unwanted               |             | db delete
          never begun                                       | db: requested                                     |             | db delete
          gone                                              | db: deleted unwanted                              |             |
          two, sorted by name                               | net: active; db: active                           |             | db delete, net delete
          to be retained                                    | db: active policy=retain                          |             | db retain
          to be retained, never begun                       | db: requested policy=retain                       |             | db delete
          to be retained, its run waits in the queue        | db: requested queued policy=retain                |             | db retain
          to be retained, failed before any step began      | db: failed never-started policy=retain            |             | db delete
          to be retained, its create run failed             | db: failed attempted=1 policy=retain              |             | db retain
          to be left alone by its policy                    | db: active policy=orphan                          |             | db orphan
          to be left alone by its policy, never begun       | db: requested policy=orphan                       |             | db orphan
          to be left alone this time                        | db: active                                        | db          | db orphan
          to be left alone this time, though retained       | db: active policy=retain                          | db          | db orphan
          another one to be left alone                      | db: active                                        | net         | db delete
          all to be left alone                              | db: active; net: active policy=retain             | *           | db orphan, net orphan
          of a type without delete                          | db: active type=bucket                            |             | db delete; undeletable db
          of a type without delete, retained                | db: active type=bucket policy=retain              |             | db retain
          of a type without delete, to be left alone        | db: active type=bucket                            | db          | db orphan
          of a type without delete, never begun             | db: requested type=bucket                         |             | db delete
          of a type without delete, its run in the queue    | db: requested queued type=bucket                  |             | db delete; undeletable db
          its provider is gone                              | db: active by=gone-team                           |             | db delete; undeletable db
          without a provider, never begun                   | db: failed never-started type=unheard             |             | db delete
          the program for its deletion is missing           | db: active type=tool                              |             | db delete; undeletable db
          a second application of the team uses it          | db: active users=shop,cart/shop-team              |             | db release
          another team and a second application use it      | db: active users=shop,cart/shop-team,mail         |             | db release
          another team uses the shop's                      | db: active users=shop,mail                        |             | db release; used-by-other-teams mail-team
          two other teams use the shop's                    | db: active users=shop,web,mail                    |             | db release; used-by-other-teams mail-team+web-team
          another team uses the shop's, to be retained      | db: active users=shop,mail policy=retain          |             | db release; used-by-other-teams mail-team
          another team's, used by the shop                  | db: active owner=mail users=mail,shop             |             | db release
          another team's, which its owner uses no more      | db: active owner=mail users=web,shop              |             | db release
          another team's, used by the shop, left alone      | db: active owner=mail users=mail,shop             | *           | db release
          another team's, not used by the shop              | db: active owner=mail users=mail                  |             |
          retained before                                   | db: active detached unused                        |             |
          """)
  void of_a_resource_that_is(
      String name, String known, @Nullable String orphan, @Nullable String removals) {
    Planned planned = plan(null, known, orphan == null ? Set.of() : Set.of(orphan));
    assertThat(text(planned)).as(name).isEqualTo(removals == null ? "" : removals);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                        | wanted                                          | recorded                                  | removals
          another stays                                 | db: postgres                                    | db: active; net: active                   | net delete
          all stay                                      | db: postgres; net: postgres                     | db: active; net: active                   |
          it comes back under another type              | db: queue                                       | db: active                                | db delete
          it comes back under another name              | new: postgres identity=postgres.default#shop.db | db: active                                |
          """)
  void beside_what_stays(String name, String wanted, String known, @Nullable String removals) {
    assertThat(text(plan(wanted, known, Set.of())))
        .as(name)
        .isEqualTo(removals == null ? "" : removals);
  }
}
