package dev.slipway.engine.workflow;

import dev.slipway.gotemplate.Function;
import dev.slipway.gotemplate.Functions;
import dev.slipway.gotemplate.GoInteger;
import dev.slipway.gotemplate.GoObject;
import dev.slipway.gotemplate.Limits;
import dev.slipway.gotemplate.Settings;
import dev.slipway.gotemplate.Template;
import dev.slipway.gotemplate.sprig.Sprig;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

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
          .withFunctions(functions())
          .withMissingKey(Settings.MissingKey.ERROR)
          .withFieldNames(Settings.FieldNames.HYPHENATED)
          .withLimits(Limits.DEFAULT.withOutput(MOST_OUTPUT).withIterations(MOST_ITERATIONS));

  private static final int MOST_KEPT = 2_000;
  private static final int LONGEST_KEPT = 8_000;
  private static final Map<String, Template> PARSED = new ConcurrentHashMap<>();

  private TemplateLanguage() {}

  /**
   * Parses a template, or takes it from the ones parsed before: a workflow's templates are rendered
   * for every run.
   */
  static Template parse(String source) {
    Template known = PARSED.get(source);
    if (known == null) {
      known = Template.parse("template", source, SETTINGS);
      if (source.length() <= LONGEST_KEPT) {
        if (PARSED.size() >= MOST_KEPT) {
          PARSED.clear();
        }
        PARSED.put(source, known);
      }
    }
    return known;
  }

  private static Functions functions() {
    return Sprig.pure().plus(Sprig.withSettingsClock()).plus(Sprig.yaml()).plus(IDENT, LITERAL);
  }

  /** Converts a value of a template to the value types of the engine. */
  static @Nullable Object plain(@Nullable Object value) {
    return switch (value) {
      case GoInteger integer ->
          ExactNumber.integer(
              integer.kind().unsigned()
                  ? new BigInteger(integer.toString())
                  : BigInteger.valueOf(integer.value()));
      case Integer number -> number.longValue();
      case Short number -> number.longValue();
      case Byte number -> number.longValue();
      case Float number -> number.doubleValue();
      case BigInteger number -> ExactNumber.integer(number);
      case BigDecimal number -> number.doubleValue();
      case Map<?, ?> map -> {
        Map<String, Object> out = LinkedHashMap.newLinkedHashMap(map.size());
        map.forEach((key, each) -> out.put(String.valueOf(key), plain(each)));
        yield out;
      }
      case List<?> list -> {
        List<Object> out = new ArrayList<>(list.size());
        list.forEach(each -> out.add(plain(each)));
        yield out;
      }
      case GoObject object -> object.text();
      case null, default -> value;
    };
  }
}
