package dev.slipway.engine.workflow;

import dev.slipway.gotemplate.Function;
import dev.slipway.gotemplate.Functions;
import dev.slipway.gotemplate.Limits;
import dev.slipway.gotemplate.Settings;

/** The dialect of Go templates that workflows are written in. */
final class TemplateLanguage {
  static final int MOST_OUTPUT = 1 << 20;
  private static final int MOST_ITERATIONS = 10_000;

  /** A name that SQL shall quote; nothing else understands it. */
  record Identifier(String name) {}

  /** A text that SQL shall quote, for statements that take no parameters. */
  record Literal(String text) {}

  private static final Function LITERAL =
      Function.of(
          "literal",
          "SQL",
          "(text string) any",
          "quotes a text for statements that take no parameters, such as CREATE ROLE",
          call -> new Literal(call.string(0)));

  private static final Function IDENT =
      Function.of(
          "ident",
          "SQL",
          "(name string) any",
          "quotes a name of a database, role, table or column for the place it stands in",
          call -> new Identifier(call.string(0)));

  static final Settings SETTINGS =
      Settings.DEFAULT
          .withFunctions(Functions.NONE.plus(IDENT, LITERAL))
          .withMissingKey(Settings.MissingKey.ERROR)
          .withFieldNames(Settings.FieldNames.HYPHENATED)
          .withLimits(Limits.DEFAULT.withOutput(MOST_OUTPUT).withIterations(MOST_ITERATIONS));

  private TemplateLanguage() {}
}
