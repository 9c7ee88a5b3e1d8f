package dev.slipway.applications.progress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.applications.plan.Binding.Answer;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.plan.ParamWords;
import dev.slipway.applications.plan.ResourceWords;
import dev.slipway.applications.plan.TableOffers;
import dev.slipway.engine.resolve.AdminConfig.Observe;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A wanted resource and what is done about it. Params and resources are written as in {@code
 * ParamWords} and {@code ResourceWords}; a dependency called {@code net} is ready, {@code later} is
 * not, and {@code lost} is not there.
 */
class ProvisioningTest {

  private static Answer answer(UUID id) {
    return switch (ResourceWords.name(id)) {
      case "net" -> new Answer.Ready("net", Map.of("host", "net.local"));
      case "later" -> new Answer.Pending();
      default -> new Answer.Absent();
    };
  }

  private static Observe.Drift drift(String words) {
    return words.endsWith(" correct") ? Observe.Drift.CORRECT : Observe.Drift.REPORT;
  }

  private static void check(String name, String words, @Nullable String moves, String verdict) {
    KnownResource resource = ResourceWords.one("db: " + words);
    Situation situation = new SituationWords(List.of(resource), "deploy", null).situation();
    Provisioning provisioning =
        new Provisioning(TableOffers.offers(), ParamWords.BOX, situation, drift(words));
    ResourceVerdict next = provisioning.next(resource, ProvisioningTest::answer);
    assertThat(DecisionText.moves(next.moves()) + " | " + DecisionText.of(next))
        .as(name)
        .isEqualTo((moves == null ? "" : moves) + " | " + verdict);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                                    | resource                              | moves                                           | standing
          nothing before it                                         | requested                             | create(1)                                       | moving in requested
          what it needs is ready                                    | requested needs=net params=@net       | create(net.local)                               | moving in requested
          what it needs is ready, and not named in its params       | requested needs=net                   | create(1)                                       | moving in requested
          what it needs is not ready                                | requested needs=later params=@later   |                                                 | waiting in requested
          what it needs is not ready, and not named in its params   | requested needs=later                 |                                                 | waiting in requested
          one of two that it needs is not ready                     | requested needs=net,later params=@net |                                                 | waiting in requested
          the first of two that it needs is not ready               | requested needs=later,net params=@net |                                                 | waiting in requested
          what it needs is not there                                | requested needs=lost params=@lost     | requested->failed by engine InvalidInput        | stuck in failed (InvalidInput)
          params name a resource that it does not need              | requested params=@net                 | requested->failed by engine InvalidInput        | stuck in failed (InvalidInput)
          params name an output that is not there                   | requested needs=net params=@net.port  | requested->failed by engine InvalidInput        | stuck in failed (InvalidInput)
          what is not ready is waited for before an error is raised | requested needs=later,net params=@later,name:@net.port | | waiting in requested
          only the configuration before needs what is not ready     | requested needed=later                | create(1)                                       | moving in requested
          no provider for its type                                  | requested type=unheard                | requested->failed by engine NoProvider          | stuck in failed (NoProvider)
          two providers for its type                                | requested type=twice                  | requested->failed by engine Conflict            | stuck in failed (Conflict)
          its workflow needs a program that the server lacks        | requested type=tool                   | requested->failed by engine MissingProgram      | stuck in failed (MissingProgram)
          a required parameter is not given                         | requested type=strict                 | requested->failed by engine InvalidInput        | stuck in failed (InvalidInput)
          a required parameter is given                             | requested type=strict params=1,region:eu | create(1,region:eu)                          | moving in requested
          a parameter does not match the pattern                    | requested params=ONE                  | requested->failed by engine InvalidInput        | stuck in failed (InvalidInput)
          a secret parameter                                        | requested params=!hush                | create(!hush)                                   | moving in requested
          a type that can only be created                           | requested type=bucket                 | create(1)                                       | moving in requested
          its run waits in the queue                                | requested queued attempted=1          |                                                 | moving in requested
          its run waits in the queue with the same secret           | requested queued attempted=!a params=!a |                                               | moving in requested
          its run waits in the queue with other params              | requested queued attempted=2          | drop, create(1)                                 | moving in requested
          its run waits in the queue with another secret            | requested queued attempted=!b params=!a | drop, create(!a)                              | moving in requested
          its run waits in the queue, and now it needs another      | requested queued attempted=1 needs=later | drop                                         | waiting in requested
          its run waits in the queue, and its type is claimed twice | requested queued attempted=2 type=twice | drop, requested->failed by engine Conflict    | stuck in failed (Conflict)
          its run waits in the queue, same params, claimed twice    | requested queued attempted=1 type=twice |                                               | moving in requested
          its run is under way                                      | requested running attempted=1         |                                                 | moving in requested
          its run is under way with other params                    | requested running attempted=2         |                                                 | moving in requested
          its run is under way, and what it needs is not there      | requested running needs=lost          |                                                 | moving in requested
          being created                                             | provisioning running                  |                                                 | moving in provisioning
          being created with other params                           | provisioning running attempted=2      |                                                 | moving in provisioning
          being created, and now it needs another                   | provisioning running needs=later      |                                                 | moving in provisioning
          being created, and its provider is gone                   | provisioning running type=unheard     |                                                 | moving in provisioning
          its create run has ended and is not applied yet           | provisioning                          |                                                 | moving in provisioning
          deleted and wanted again                                  | deleted                               | revive, create(1)                               | moving in requested
          deleted and wanted again with other params                | deleted applied=1 params=2            | revive, create(2)                               | moving in requested
          deleted and wanted again, what it needs is not ready      | deleted needs=later                   | revive                                          | waiting in requested
          deleted and wanted again, without a provider              | deleted type=unheard                  | revive, requested->failed by engine NoProvider  | stuck in failed (NoProvider)
          deleted under one name and wanted under another           | deleted identified=a params=1,name:b  | revive, create(1,name:b)                        | moving in requested
          """)
  void that_was_never_there(String name, String resource, @Nullable String moves, String verdict) {
    check(name, resource, moves, verdict);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                                    | resource                              | moves                                           | standing
          as asked for                                              | active                                |                                                 | done in active
          as asked for, with a secret                               | active params=!a applied=!a           |                                                 | done in active
          as asked for, with an output of another                   | active needs=net params=@net applied=net.local |                                        | done in active
          as asked for, and a complaint is left                     | active reason=InvalidInput            | clear                                           | done in active
          as asked for, and the configuration before needed another | active needed=net                     | forget                                          | done in active
          as asked for, another was needed, a complaint is left     | active needed=net reason=InvalidInput | clear, forget                                   | done in active
          as asked for again after another was tried                | active attempted=2                    |                                                 | done in active
          other params                                              | active params=2                       | active->updating by intake, update(2)           | moving in updating
          another secret                                            | active params=!b applied=!a           | active->updating by intake, update(!b)          | moving in updating
          one param more                                            | active params=1,name:a                | active->updating by intake, update(1,name:a)    | moving in updating
          an output of another has changed                          | active needs=net params=@net applied=old | active->updating by intake, update(net.local) | moving in updating
          other params, and what it needs is not ready              | active needs=later params=2           |                                                 | waiting in active
          as asked for, and what it needs is not ready              | active needs=later                    |                                                 | waiting in active
          other params, and what they name is not there             | active needs=lost params=@lost        | complain InvalidInput                           | stuck in active (InvalidInput)
          other params that were tried and failed                   | active params=2 attempted=2 reason=StepFailed |                                         | stuck in active (StepFailed)
          other params that were tried, nothing recorded            | active params=2 attempted=2           |                                                 | stuck in active (active)
          other params than those that were tried and failed        | active params=3 attempted=2 reason=StepFailed | active->updating by intake, update(3)   | moving in updating
          other params of a type without update                     | active type=queue params=2            | complain NotSupported                           | stuck in active (NotSupported)
          other params, and a complaint of another kind is left     | active type=queue params=2 reason=InvalidInput | complain NotSupported                  | stuck in active (NotSupported)
          other params, and its provider is gone                    | active params=2 by=gone-team          | complain NotSupported                           | stuck in active (NotSupported)
          other params, and its program is missing                  | active type=tool params=2             | complain MissingProgram                         | stuck in active (MissingProgram)
          other params that the workflow refuses                    | active params=TWO                     | complain InvalidInput                           | stuck in active (InvalidInput)
          another identifying param                                 | active identified=a params=1,name:b   | complain InvalidInput                           | stuck in active (InvalidInput)
          the same identifying param, written out                   | active identified=a params=1,name:a   | active->updating by intake, update(1,name:a)    | moving in updating
          other params without the identifying one                  | active identified=a params=2          | active->updating by intake, update(2)           | moving in updating
          a run of its is under way                                 | active running params=2               |                                                 | moving in active
          a run of its waits in the queue                           | active queued params=2                |                                                 | moving in active
          to be replaced                                            | active replacing params=2             | active->deprovisioning by intake, delete(1)     | moving in deprovisioning
          to be replaced while a run is under way                   | active replacing running              |                                                 | moving in active
          to be replaced, and what it needs is not ready            | active replacing needs=later          | active->deprovisioning by intake, delete(1)     | moving in deprovisioning
          to be replaced, of a type without delete                  | active replacing type=bucket          | complain NotSupported                           | stuck in active (NotSupported)
          degraded, as asked for                                    | degraded reason=StepFailed            |                                                 | stuck in degraded (StepFailed)
          degraded, as asked for, nothing recorded                  | degraded                              |                                                 | stuck in degraded (degraded)
          degraded, with other params                               | degraded params=2 reason=StepFailed   | degraded->updating by intake, update(2)         | moving in updating
          degraded, with params that were tried and failed          | degraded params=2 attempted=2 reason=StepFailed |                                       | stuck in degraded (StepFailed)
          degraded, to be replaced                                  | degraded replacing                    | degraded->deprovisioning by intake, delete(1)   | moving in deprovisioning
          degraded, and what it needs is not ready                  | degraded needs=later                  |                                                 | waiting in degraded
          gone, and drift is reported                               | degraded reason=missing               |                                                 | stuck in degraded (missing)
          gone, and drift is corrected                              | degraded reason=missing correct       | degraded->updating by observer, create(1)       | moving in updating
          changed, and drift is corrected                           | degraded reason=drift correct         | degraded->updating by observer, update(1)       | moving in updating
          not ours, and drift is corrected                          | degraded reason=not-ours correct      |                                                 | stuck in degraded (not-ours)
          a failed update, and drift is corrected                   | degraded reason=StepFailed correct    |                                                 | stuck in degraded (StepFailed)
          gone, with other params, and drift is corrected           | degraded params=2 reason=missing correct | degraded->updating by intake, update(2)         | moving in updating
          degraded, and a run of its is under way                   | degraded running                      |                                                 | moving in degraded
          """)
  void that_is_there(String name, String resource, @Nullable String moves, String verdict) {
    check(name, resource, moves, verdict);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                                    | resource                                  | moves                                 | standing
          its run is under way                                      | updating running params=2                 |                                       | moving in updating
          its run is under way with older params                    | updating running params=3 attempted=2     |                                       | moving in updating
          its run is under way, and what it needs is not there      | updating running needs=lost params=@lost  |                                       | moving in updating
          its run waits in the queue                                | updating queued params=2 attempted=2      |                                       | moving in updating
          its run waits in the queue with older params              | updating queued params=3 attempted=2      | drop, update(3)                       | moving in updating
          its run waits, and what it needs is not ready             | updating queued params=3 attempted=2 needs=later |                                | moving in updating
          its run waits, and what the params name is not there      | updating queued needs=lost params=@lost   |                                       | moving in updating
          its run waits, and the newer params are refused           | updating queued params=THREE attempted=2  |                                       | moving in updating
          its run waits, and its provider is gone                   | updating queued params=3 attempted=2 by=x |                                       | moving in updating
          its run was lost                                          | updating params=2 attempted=2             | update(2)                             | moving in updating
          its run was lost, and what it needs is not ready          | updating params=2 needs=later             |                                       | waiting in updating
          its run was lost, and what the params name is not there   | updating needs=lost params=@lost          | complain InvalidInput                 | stuck in updating (InvalidInput)
          its run was lost, and its provider is gone                | updating params=2 by=gone-team            | complain NotSupported                 | stuck in updating (NotSupported)
          its run was lost, and the params are refused              | updating params=TWO                       | complain InvalidInput                 | stuck in updating (InvalidInput)
          """)
  void that_is_being_updated(String name, String resource, @Nullable String moves, String verdict) {
    check(name, resource, moves, verdict);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                                    | resource                                        | moves                                           | standing
          its create run failed                                     | failed attempted=1 reason=StepFailed            |                                                 | stuck in failed (StepFailed)
          its create run failed, other params                       | failed attempted=1 reason=StepFailed params=2   |                                                 | stuck in failed (StepFailed)
          its create run failed, and a retry is asked for           | failed                                          | failed->provisioning by user, create(1)         | moving in provisioning
          a retry is asked for, and what it needs is not ready      | failed needs=later                              |                                                 | waiting in failed
          a retry is asked for, and what it needs is not there      | failed needs=lost params=@lost                  | complain InvalidInput                           | stuck in failed (InvalidInput)
          a retry is asked for, and its provider is gone            | failed type=unheard                             | complain NoProvider                             | stuck in failed (NoProvider)
          a retry is asked for with params that are refused         | failed params=ONE                               | complain InvalidInput                           | stuck in failed (InvalidInput)
          a retry under another name than the run before            | failed identified=a params=1,name:b             | complain InvalidInput                           | stuck in failed (InvalidInput)
          a retry under another name, no step ever began            | failed never-started identified=a params=1,name:b | failed->provisioning by user, create(1,name:b) | moving in provisioning
          its reason is gone but the attempt is on record           | failed attempted=1                              |                                                 | stuck in failed (failed)
          its update run failed                                     | failed was-active attempted=2 params=2 reason=StepFailed |                                        | stuck in failed (StepFailed)
          its update run failed, other params                       | failed was-active attempted=2 params=3 reason=StepFailed |                                        | stuck in failed (StepFailed)
          its update run failed, and a retry is asked for           | failed was-active attempted=none params=2       | failed->updating by user, update(2)             | moving in updating
          retry of an update without update workflow                | failed was-active attempted=none type=queue     | complain NotSupported                           | stuck in failed (NotSupported)
          retry of an update under another name                     | failed was-active attempted=none identified=a params=1,name:b | complain InvalidInput             | stuck in failed (InvalidInput)
          retry of an update, what it needs is not ready            | failed was-active attempted=none needs=later    |                                                 | waiting in failed
          had no provider and has one now                           | failed never-started reason=NoProvider          | failed->requested by registry, create(1)        | moving in requested
          was claimed twice and is not now                          | failed never-started reason=Conflict            | failed->requested by registry, create(1)        | moving in requested
          had no create workflow and has one now                    | failed never-started reason=NotSupported        | failed->requested by registry, create(1)        | moving in requested
          lacked a program that is there now                        | failed never-started reason=MissingProgram      | failed->requested by registry, create(1)        | moving in requested
          was kept out by a policy and is not now                   | failed never-started reason=PolicyRefused       | failed->requested by registry, create(1)        | moving in requested
          had no provider and still has none                        | failed never-started reason=NoProvider type=unheard |                                             | stuck in failed (NoProvider)
          had no provider and now two                               | failed never-started reason=NoProvider type=twice |                                               | stuck in failed (NoProvider)
          lacked a program that is still missing                    | failed never-started reason=MissingProgram type=tool |                                            | stuck in failed (MissingProgram)
          had no provider, has one now, waits for another           | failed never-started reason=NoProvider needs=later | failed->requested by registry                | waiting in requested
          had no provider, has one now, params are refused          | failed never-started reason=NoProvider params=ONE | failed->requested by registry, requested->failed by engine InvalidInput | stuck in failed (InvalidInput)
          its input was refused and its type resolves               | failed never-started reason=InvalidInput        |                                                 | stuck in failed (InvalidInput)
          was active, lost its provider and has one again           | failed was-active reason=NoProvider             |                                                 | stuck in failed (NoProvider)
          its run is being undone                                   | failed running reason=StepFailed                |                                                 | stuck in failed (StepFailed)
          its run is being undone, and a retry is asked for         | failed running                                  |                                                 | stuck in failed (failed)
          to be replaced after a failed create run                  | failed replacing attempted=1 reason=StepFailed  | failed->deprovisioning by intake, delete(1)     | moving in deprovisioning
          to be replaced after a failed update run                  | failed replacing was-active attempted=2 reason=StepFailed | failed->deprovisioning by intake, delete(1) | moving in deprovisioning
          its deletion failed, and it is wanted again               | failed delete-failed attempted=delete reason=StepFailed |                                         | stuck in failed (StepFailed)
          its deletion failed, wanted again, retry is asked for     | failed delete-failed was-active attempted=none  | failed->deprovisioning by intake, delete(1)     | moving in deprovisioning
          its deletion failed, to be replaced                       | failed delete-failed replacing attempted=delete reason=StepFailed |                               | stuck in failed (StepFailed)
          being deleted and wanted again                            | deprovisioning running                          |                                                 | moving in deprovisioning
          its delete run waits in the queue                         | deprovisioning queued                           |                                                 | moving in deprovisioning
          its delete run was lost                                   | deprovisioning was-active                       | delete(1)                                       | moving in deprovisioning
          its delete run was lost, nothing was ever applied         | deprovisioning attempted=2                      | delete(2)                                       | moving in deprovisioning
          its delete run was lost, and its provider is gone         | deprovisioning by=gone-team                     | complain NotSupported                           | stuck in deprovisioning (NotSupported)
          """)
  void that_failed_or_is_being_deleted(
      String name, String resource, @Nullable String moves, String verdict) {
    check(name, resource, moves, verdict);
  }
}
