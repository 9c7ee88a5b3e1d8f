package dev.slipway.applications.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.applications.plan.Planner.Question;
import dev.slipway.engine.intake.DeletionPolicy;
import dev.slipway.engine.resolve.AdminConfig.Enforcement;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What is asked for beside what is recorded, and the plan. Written as in {@code WantedWords},
 * {@code ResourceWords} and {@code PlanText}; the providers are those of {@code TableOffers}.
 */
class PlannerTest {
  private static Question question(String... replace) {
    return new Question(
        ResourceWords.SHOP,
        "shop-team",
        null,
        Set.of(replace),
        Set.of(),
        Optional.empty(),
        Enforcement.OFF);
  }

  private static Planned plan(@Nullable String wanted, @Nullable String known, Question question) {
    return new Planner(TableOffers.offers(), ParamWords.BOX)
        .plan(WantedWords.read(wanted), question, ResourceWords.all(known));
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                           | wanted                            | recorded                                     | plan
          never heard of                                   | db: postgres                      |                                              | db create by create-postgres
          deleted before                                   | db: postgres                      | db: deleted                                  | db create by create-postgres
          deleted before under another name                | db: postgres params=1,name:b      | db: deleted identified=a                     | db create by create-postgres
          as it is                                         | db: postgres                      | db: active                                   | db no-op
          as it is, without params                         | db: postgres no-params            | db: active params=x:1 applied=x:1            | db update by update-postgres
          as it is, with a secret                          | db: postgres params=!a            | db: active params=!a applied=!a              | db no-op
          with another secret                              | db: postgres params=!b            | db: active params=!a applied=!a              | db update by update-postgres
          with other params                                | db: postgres params=2             | db: active                                   | db update by update-postgres
          with other params, while a run is under way      | db: postgres params=2             | db: active running                           | db update by update-postgres
          as it was before the last deployment failed      | db: postgres                      | db: active params=2 attempted=2              | db no-op
          with the params that were tried and failed       | db: postgres params=2             | db: active params=2 attempted=2 reason=x     | db update by update-postgres
          degraded, as it is                               | db: postgres                      | db: degraded                                 | db no-op
          degraded, with other params                      | db: postgres params=2             | db: degraded                                 | db update by update-postgres
          requested before and not begun                   | db: postgres                      | db: requested                                | db no-op (in-progress)
          requested before with other params               | db: postgres params=2             | db: requested                                | db create by create-postgres
          requested before with other params, in the queue | db: postgres params=2             | db: requested queued attempted=1             | db create by create-postgres
          being created                                    | db: postgres                      | db: provisioning running attempted=1         | db no-op (in-progress)
          being created with other params                  | db: postgres params=2             | db: provisioning running attempted=1         | db update by update-postgres
          being updated to this                            | db: postgres params=2             | db: updating running params=2 attempted=2    | db no-op (in-progress)
          being updated to something else                  | db: postgres params=3             | db: updating running params=2 attempted=2    | db update by update-postgres
          being updated to this, since asked for otherwise | db: postgres params=2             | db: updating running attempted=2             | db update by update-postgres
          being updated, wanted as it was                  | db: postgres                      | db: updating running params=2 attempted=2    | db no-op
          its update run was lost                          | db: postgres params=2             | db: updating params=2 attempted=2            | db update by update-postgres
          its create run failed                            | db: postgres                      | db: failed attempted=1 reason=StepFailed     | db create (retry) by create-postgres
          its create run failed, other params              | db: postgres params=2             | db: failed attempted=1 reason=StepFailed     | db create (retry) by create-postgres
          had no provider before                           | db: postgres                      | db: failed never-started reason=NoProvider   | db create (retry) by create-postgres
          its update run failed                            | db: postgres params=2             | db: failed was-active params=2 attempted=2   | db update (retry) by update-postgres
          its update run failed, wanted as it was          | db: postgres                      | db: failed was-active params=2 attempted=2   | db update (retry) by update-postgres
          being deleted                                    | db: postgres                      | db: deprovisioning running unwanted          | db create (waits-for-deletion) by create-postgres
          its deletion failed                              | db: postgres                      | db: failed delete-failed unwanted            | db create (waits-for-deletion) by create-postgres
          retained before, as it is                        | db: postgres                      | db: active detached unused                   | db no-op (adopted)
          retained before, with other params               | db: postgres params=2             | db: active detached unused                   | db update by update-postgres
          """)
  void a_resource_that_is(String name, String wanted, @Nullable String known, String items) {
    assertThat(PlanText.all(plan(wanted, known, question()))).as(name).isEqualTo(items);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                           | wanted                            | recorded                                     | replace | plan
          no provider                                      | db: unheard                       |                                              |         | db create; unknown-resource-type at resources.db.type
          two providers                                    | db: twice                         |                                              |         | db create; capability-conflict at resources.db.type
          a missing program                                | db: tool                          |                                              |         | db create; missing-program at resources.db.type
          a type without update                            | db: queue params=2                | db: active type=queue                        |         | db update (update-unsupported); operation-not-supported at resources.db.type
          a type without update, replacement confirmed     | db: queue params=2                | db: active type=queue                        | db      | db replace by create-queue
          a type without update, another one confirmed     | db: queue params=2                | db: active type=queue                        | net     | db update (update-unsupported); operation-not-supported at resources.db.type
          a type without update and delete, confirmed      | db: bucket params=2               | db: active type=bucket                       | db      | db replace by create-bucket; operation-not-supported at resources.db.type
          a type without update, as it is                  | db: queue                         | db: active type=queue                        |         | db no-op
          its provider is gone                             | db: postgres params=2             | db: active by=gone-team                      |         | db update (update-unsupported); operation-not-supported at resources.db.type
          its provider is gone, as it is                   | db: postgres                      | db: active by=gone-team                      |         | db no-op
          the program for its update is missing            | db: tool params=2                 | db: active type=tool                         |         | db update (update-unsupported); missing-program at resources.db.type
          another identifying value                        | db: postgres params=1,name:b      | db: active identified=a                      |         | db replace (identity-changed) by create-postgres; replacement-needed at resources.db.params.name
          another identifying value, confirmed             | db: postgres params=1,name:b      | db: active identified=a                      | db      | db replace (identity-changed) by create-postgres
          the same identifying value, written out          | db: postgres params=1,name:a      | db: active identified=a                      |         | db update by update-postgres
          another identifying value after a failed create  | db: postgres params=1,name:b      | db: failed attempted=1 identified=a          |         | db replace (identity-changed) by create-postgres; replacement-needed at resources.db.params.name
          another identifying value, no step ever began    | db: postgres params=1,name:b      | db: failed never-started identified=a        |         | db create (retry) by create-postgres
          another identifying value, type without delete   | db: bucket params=1,name:b        | db: failed attempted=1 type=bucket identified=a | db   | db replace (identity-changed) by create-bucket; operation-not-supported at resources.db.type
          a required parameter is left out                 | db: strict                        |                                              |         | db create by create-strict; missing-parameter at resources.db.params.region
          a required parameter is left out, no params      | db: strict no-params              |                                              |         | db create by create-strict; missing-parameter at resources.db
          a value that the pattern refuses                 | db: postgres params=ONE           |                                              |         | db create by create-postgres; pattern-mismatch at resources.db.params.size
          a value that the pattern refuses, in an update   | db: postgres params=TWO           | db: active                                   |         | db update by update-postgres; pattern-mismatch at resources.db.params.size
          a reserved name                                  | db: postgres params=1,team_id:x   |                                              |         | db create by create-postgres; reserved-parameter at resources.db.params.team_id
          """)
  void a_resource_with(
      String name, String wanted, @Nullable String known, @Nullable String replace, String items) {
    Question question = replace == null ? question() : question(replace);
    assertThat(PlanText.all(plan(wanted, known, question))).as(name).isEqualTo(items);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                           | wanted                                                 | recorded                                            | plan
          the other is new                                 | db: postgres params=@net needs=net; net: queue         |                                                     | db create by create-postgres, net create by create-queue
          the other is ready                               | db: postgres params=@net needs=net; net: queue         | net: active type=queue                              | db create by create-postgres, net no-op
          the other is ready, bound to it already          | db: postgres params=@net needs=net; net: queue         | net: active type=queue; db: active params=@net applied=net.local needs=net | db no-op, net no-op
          the other is ready, its output has changed       | db: postgres params=@net needs=net; net: queue         | net: active type=queue; db: active params=@net applied=old needs=net | db update by update-postgres, net no-op
          the other changes                                | db: postgres params=@net needs=net; net: postgres params=2 | net: active; db: active params=@net applied=net.local needs=net | db unknown, net update by update-postgres
          the other changes, and so does this              | db: postgres params=@net,x:2 needs=net; net: postgres params=2 | net: active; db: active params=@net applied=net.local needs=net | db update by update-postgres, net update by update-postgres
          the other is being made                          | db: postgres params=@net needs=net; net: postgres      | net: provisioning running attempted=1; db: active params=@net applied=old needs=net | db no-op (in-progress), net no-op (in-progress)
          the other failed                                 | db: postgres params=@net needs=net; net: postgres      | net: failed attempted=1; db: requested params=@net needs=net | db no-op (in-progress), net create (retry) by create-postgres
          the other lacks the output                       | db: postgres params=@net.user needs=net; net: postgres |                                                     | db create by create-postgres, net create by create-postgres; unknown-output at resources.db.params.size
          a resource that is not in the document           | db: postgres params=@net                               |                                                     | db create by create-postgres; unknown-output at resources.db.params
          needed without being named in the params         | db: postgres needs=net; net: postgres params=2         | net: active; db: active needs=net                   | db no-op, net update by update-postgres
          """)
  void a_resource_that_refers_to_another(
      String name, String wanted, @Nullable String known, String items) {
    assertThat(PlanText.all(plan(wanted, known, question()))).as(name).isEqualTo(items);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                           | wanted                            | recorded                                          | plan
          of this application alone                        | db: postgres params=2             | db: active                                        | db update by update-postgres
          of this application, with a second user          | db: postgres params=2             | db: active users=shop,mail                        | db update by update-postgres
          of another application of the team               | db: postgres                      | db: active owner=mail team=shop-team              | db no-op (shared)
          of another application, without params here      | db: postgres no-params            | db: active owner=mail team=shop-team params=7     | db no-op (shared)
          of another application, with other params        | db: postgres params=2             | db: active owner=mail team=shop-team              | db no-op (shared); shared-resource-conflict at resources.db.params
          of another team, shared and meant                | db: postgres shared-from=mail-team | db: active owner=mail shared-with=shop-team      | db no-op (shared)
          of another team, shared with all and meant       | db: postgres shared-from=mail-team | db: active owner=mail shared-with=*              | db no-op (shared)
          of another team, shared with a third             | db: postgres shared-from=mail-team | db: active owner=mail shared-with=web-team       | db no-op (shared); shared-resource-conflict at resources.db
          of another team, not shared                      | db: postgres shared-from=mail-team | db: active owner=mail                            | db no-op (shared); shared-resource-conflict at resources.db
          of another team, shared but not meant            | db: postgres                      | db: active owner=mail shared-with=shop-team       | db no-op (shared); shared-resource-conflict at resources.db
          of another team, shared, a third is meant        | db: postgres shared-from=web-team | db: active owner=mail shared-with=shop-team       | db no-op (shared); shared-resource-conflict at resources.db
          of another team, which left it behind            | db: postgres                      | db: active owner=mail detached unused             | db no-op (shared); identity-taken db
          of another team, which nothing uses              | db: postgres                      | db: active owner=mail unused                      | db no-op (shared); identity-taken db
          of another team, deleted                         | db: postgres                      | db: deleted owner=mail unwanted                   | db create by create-postgres
          of another team, deleted and wanted again        | db: postgres                      | db: deleted owner=mail                            | db no-op (shared); shared-resource-conflict at resources.db
          of another team, other params                    | db: postgres params=2 shared-from=mail-team | db: active owner=mail shared-with=shop-team | db no-op (shared); shared-resource-conflict at resources.db.params
          another team's is meant, and there is none       | db: postgres shared-from=mail-team |                                                  | db create by create-postgres; shared-resource-conflict at resources.db
          the own team's is meant, and there is none       | db: postgres shared-from=shop-team |                                                  | db create by create-postgres
          """)
  void an_identity(String name, String wanted, @Nullable String known, String items) {
    assertThat(PlanText.all(plan(wanted, known, question()))).as(name).isEqualTo(items);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                        | wanted                            | recorded                          | fields
          a new resource                                | db: postgres params=2,name:b      |                                   | name +b, size +2
          a changed value                               | db: postgres params=2             | db: active                        | size 1->2
          a value more                                  | db: postgres params=1,name:b      | db: active                        | name +b
          a value less                                  | db: postgres                      | db: active applied=1,name:b params=1,name:b | name -b
          a secret that changes                         | db: postgres params=!b            | db: active params=!a applied=!a   | size ***->***
          a value that is known later                   | db: postgres params=@net needs=net; net: queue no-params |            | size +(known after deploy)
          nothing                                       | db: postgres                      | db: active                        |
          """)
  void shows_field_by_field(
      String name, String wanted, @Nullable String known, @Nullable String fields) {
    assertThat(PlanText.fields(plan(wanted, known, question()))).as(name).isEqualTo(text(fields));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                        | wanted                                                       | recorded                                | waves              | critical path
          nothing to do                                 | a: postgres                                                  | a: active                               |                    |
          side by side                                  | a: postgres; b: postgres                                     |                                         | a+b                | a
          a chain                                       | a: postgres needs=b; b: postgres needs=c; c: postgres        |                                         | c, b, a            | c+b+a
          a chain whose root is there                   | a: postgres needs=b; b: postgres needs=c; c: postgres        | c: active                               | b, a               | b+a
          a chain whose middle is there                 | a: postgres needs=b; b: postgres needs=c; c: postgres        | b: active needs=c                       | c, a               | c+a
          a diamond                                     | a: postgres needs=b,c; b: postgres needs=d; c: postgres needs=d; d: postgres |                         | d, b+c, a          | d+b+a
          removals come last, dependents first          | a: postgres                                                  | x: active; y: active needs=x            | a, y, x            | a
          removals alone                                |                                                              | x: active; y: active needs=x; z: active | y, x+z             |
          """)
  void orders(
      String name,
      @Nullable String wanted,
      @Nullable String known,
      @Nullable String waves,
      @Nullable String path) {
    Plan plan = plan(wanted, known, question()).plan();
    assertThat(PlanText.waves(plan) + " | " + String.join("+", plan.names(plan.criticalPath())))
        .as(name)
        .isEqualTo(text(waves) + " | " + text(path));
  }

  @Test
  void a_resource_that_changes_its_type_is_two_nodes_that_come_and_go_in_waves_of_their_own() {
    Plan plan =
        plan(
                "api: service needs=db; db: queue",
                "api: active type=service needs=db; db: active",
                question())
            .plan();
    assertThat(PlanText.nodes(plan.waves()))
        .containsExactly("queue.default#shop.db", "postgres.default#shop.db");
    assertThat(PlanText.nodes(List.of(plan.criticalPath())))
        .containsExactly("queue.default#shop.db");
    assertThat(PlanText.waves(plan)).isEqualTo("db, db");
  }

  @Test
  void a_removal_depends_on_the_node_that_it_was_made_with() {
    Plan plan = plan("db: queue", "db: active; old: active needs=db", question()).plan();
    assertThat(PlanText.nodes(plan.waves()))
        .containsExactly(
            "queue.default#shop.db", "postgres.default#shop.old", "postgres.default#shop.db");
    assertThat(plan.items())
        .filteredOn(item -> item.name().equals("old"))
        .singleElement()
        .extracting(item -> PlanText.nodes(List.of(item.dependencyNodes())))
        .isEqualTo(List.of("postgres.default#shop.db"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                           | wanted                   | one                                  | other                                      | hashes
          nothing differs                                  | db: postgres             | db: active                           | db: active                                 | same
          how far an unchanged resource is                 | db: postgres             | db: active                           | db: provisioning running attempted=1       | same
          a complaint about an unchanged resource          | db: postgres             | db: active                           | db: active reason=InvalidInput             | same
          the state of a retry                             | db: postgres             | db: requested params=2               | db: failed never-started                   | same
          create or update                                 | db: postgres params=2    |                                      | db: active                                 | differ
          an update from something else                    | db: postgres params=3    | db: active                           | db: active applied=2                       | differ
          update or nothing                                | db: postgres params=2    | db: active                           | db: active params=2 applied=2              | differ
          kept or adopted                                  | db: postgres             | db: active                           | db: active detached unused                 | differ
          a removal more                                   | db: postgres             | db: active                           | db: active; x: active                      | differ
          retained or deleted                              |                          | x: active                            | x: active policy=retain                    | differ
          released or deleted                              |                          | x: active                            | x: active users=shop,mail owner=mail       | differ
          """)
  void hashes(
      String name, @Nullable String wanted, @Nullable String one, String other, String expected) {
    String first = plan(wanted, one, question()).plan().hash();
    String second = plan(wanted, other, question()).plan().hash();
    assertThat(first.equals(second) ? "same" : "differ").as(name).isEqualTo(expected);
  }

  @Test
  void the_same_question_has_the_same_answer_whatever_the_order_of_the_records() {
    String wanted = "a: postgres needs=b; b: queue; c: postgres params=2";
    Plan one = plan(wanted, "c: active; x: active; b: active type=queue", question()).plan();
    Plan other = plan(wanted, "b: active type=queue; c: active; x: active", question()).plan();
    assertThat(one).isEqualTo(other);
  }

  @Test
  void shared_resources_that_close_a_cycle_across_documents_are_an_error() {
    String one = "postgres.default#one";
    String two = "postgres.default#two";
    Planned planned =
        plan(
            "a: postgres needs=b identity=" + one + "; b: postgres no-params identity=" + two,
            "b: active needs=a identity="
                + two
                + " owner=mail team=shop-team"
                + "; a: active owner=mail team=shop-team identity="
                + one,
            question());
    assertThat(PlanText.problems(planned)).contains("dependency-cycle at resources.a");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                     | wanted                          | environment | policy
          nothing said                               | db: postgres                    |             | DELETE
          the environment says it                    | db: postgres                    | ORPHAN      | ORPHAN
          the capability says it                     | db: volume                      |             | RETAIN
          the capability before the environment      | db: volume                      | ORPHAN      | RETAIN
          the document before the capability         | db: volume policy=delete        |             | DELETE
          the document before the environment        | db: postgres policy=retain      | ORPHAN      | RETAIN
          no provider, the environment says it       | db: unheard                     | RETAIN      | RETAIN
          """)
  void a_deletion_policy(
      String name, String wanted, @Nullable DeletionPolicy environment, DeletionPolicy policy) {
    Question question =
        new Question(
            ResourceWords.SHOP,
            "shop-team",
            null,
            Set.of(),
            Set.of(),
            Optional.ofNullable(environment),
            Enforcement.OFF);
    assertThat(plan(wanted, null, question).assignments().getFirst().deletionPolicy())
        .as(name)
        .isEqualTo(policy);
  }
}
