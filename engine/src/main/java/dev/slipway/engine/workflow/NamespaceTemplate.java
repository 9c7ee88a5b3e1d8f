package dev.slipway.engine.workflow;

import dev.slipway.engine.intake.Label;
import dev.slipway.engine.intake.Position;
import dev.slipway.gotemplate.Limits;
import dev.slipway.gotemplate.Settings;
import dev.slipway.gotemplate.Template;
import dev.slipway.gotemplate.TemplateException;
import dev.slipway.gotemplate.sprig.Sprig;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How an environment names the namespaces of its applications: a Go template over {@code
 * .application} (old spelling {@code .app}), {@code .environment} and {@code .team}. Its functions
 * depend on nothing else, because the run that deletes has to find what the run that created has
 * made.
 */
public final class NamespaceTemplate {
  private static final int LONGEST = 1_000;
  private static final Settings SETTINGS =
      Settings.DEFAULT
          .withFunctions(Sprig.pure())
          .withMissingKey(Settings.MissingKey.ERROR)
          .withLimits(
              Limits.DEFAULT
                  .withOutput(LONGEST)
                  .withSteps(10_000)
                  .withIterations(1_000)
                  .withTime(Duration.ofSeconds(1)));

  private NamespaceTemplate() {}

  /** A namespace, or what is wrong. */
  public sealed interface Result {
    /** The namespace. */
    record Name(String text) implements Result {}

    /** Where in the template, and why. */
    record Wrong(Position at, String message, @Nullable String hint) implements Result {}
  }

  /** The namespace of an application. */
  public static Result render(
      String template, String application, String environment, String team) {
    if (template.length() > LONGEST) {
      return wrong("is longer than " + LONGEST + " characters", null);
    }
    String name;
    try {
      name =
          Template.parse("namespaceTemplate", template, SETTINGS)
              .execute(
                  Map.of(
                      "application",
                      application,
                      "app",
                      application,
                      "environment",
                      environment,
                      "team",
                      team));
    } catch (TemplateException e) {
      return new Result.Wrong(
          new Position(e.position().line(), e.position().column()),
          e.reason(),
          e.hint().orElse("It may use .application, .environment and .team."));
    }
    return Label.matches(name)
        ? new Result.Name(name)
        : wrong(
            "gives '"
                + name
                + "' for the application '"
                + application
                + "', which is not "
                + Label.WORDS,
            "Shorten it with trunc 63, or leave out what does not belong into a name.");
  }

  private static Result wrong(String message, @Nullable String hint) {
    return new Result.Wrong(new Position(1, 1), message, hint);
  }
}
