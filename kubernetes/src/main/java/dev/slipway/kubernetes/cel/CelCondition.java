package dev.slipway.kubernetes.cel;

import dev.cel.bundle.Cel;
import dev.cel.bundle.CelBuilder;
import dev.cel.bundle.CelFactory;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelErrorCode;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.extensions.CelExtensions;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelUnknownSet;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A condition about an object: its top-level fields are variables, {@code self} is the whole. May
 * be evaluated by several threads.
 */
public final class CelCondition {
  private static final String WHOLE = "self";
  private static final int LONGEST_SOURCE = 16 * 1024;
  private static final Set<String> TYPES =
      Set.of(
          "int",
          "uint",
          "double",
          "bool",
          "string",
          "bytes",
          "list",
          "map",
          "null_type",
          "type",
          "dyn",
          "optional_type");
  private static final CelOptions OPTIONS =
      CelOptions.current()
          .comprehensionMaxIterations(100_000)
          .enableHeterogeneousNumericComparisons(true)
          .build();

  private final CelRuntime.Program program;
  private final Set<String> variables;

  private CelCondition(CelRuntime.Program program, Set<String> variables) {
    this.program = program;
    this.variables = variables;
  }

  /** Fails with the place in the text. */
  public static CelCondition compile(String source) throws CelFailure {
    if (source.length() > LONGEST_SOURCE) {
      throw failure("a condition has at most " + LONGEST_SOURCE + " characters");
    }
    try {
      CelAbstractSyntaxTree parsed = builder().build().parse(source).getAst();
      Set<String> variables = variables(parsed);
      CelBuilder declared = builder();
      variables.forEach(name -> declared.addVar(name, SimpleType.DYN));
      Cel cel = declared.build();
      CelAbstractSyntaxTree checked = cel.compile(source).getAst();
      CelType type = checked.getResultType();
      if (!type.equals(SimpleType.BOOL) && !type.equals(SimpleType.DYN)) {
        throw failure("a condition is true or false, this one is a " + type.name());
      }
      return new CelCondition(cel.createProgram(checked), variables);
    } catch (CelValidationException | CelEvaluationException e) {
      throw failure(String.valueOf(e.getMessage()));
    }
  }

  private static CelBuilder builder() {
    return CelFactory.standardCelBuilder()
        .setOptions(OPTIONS)
        .setStandardMacros(dev.cel.parser.CelStandardMacro.STANDARD_MACROS)
        .addCompilerLibraries(CelExtensions.optional())
        .addRuntimeLibraries(CelExtensions.optional());
  }

  /** Every name in the expression that is neither a type nor one of CEL's own. */
  private static Set<String> variables(CelAbstractSyntaxTree parsed) {
    Set<String> names = new TreeSet<>();
    CelNavigableAst.fromAst(parsed)
        .getRoot()
        .allNodes()
        .map(node -> node.expr())
        .filter(expression -> expression.getKind() == CelExpr.ExprKind.Kind.IDENT)
        .map(expression -> expression.ident().name())
        .filter(name -> !TYPES.contains(name))
        .filter(name -> name.matches("[A-Za-z][A-Za-z0-9_]*"))
        .forEach(names::add);
    return names;
  }

  /** Whether it holds for an object. */
  public boolean holds(Map<String, Object> object) throws CelFailure {
    return holds(object, CelBudget.LONGEST);
  }

  boolean holds(Map<String, Object> object, Duration time) throws CelFailure {
    Map<String, Object> given = new HashMap<>();
    for (String name : variables) {
      Object value = name.equals(WHOLE) ? object : object.get(name);
      if (value != null) {
        given.put(name, value(value));
      }
    }
    try {
      return switch (program.trace(given, new CelBudget(time))) {
        case Boolean answer -> answer;
        case CelUnknownSet _ ->
            throw new CelFailure(CelFailure.Cause.MISSING_FIELD, missing(object));
        default -> throw failure("the condition is neither true nor false");
      };
    } catch (CelEvaluationException e) {
      throw new CelFailure(
          e.getErrorCode() == CelErrorCode.ATTRIBUTE_NOT_FOUND
              ? CelFailure.Cause.MISSING_FIELD
              : CelFailure.Cause.OTHER,
          String.valueOf(e.getMessage()));
    } catch (CelBudget.Exceeded e) {
      throw failure(String.valueOf(e.getMessage()));
    } catch (StackOverflowError e) {
      throw failure("the condition is nested too deeply");
    }
  }

  /** Variables without a value make the whole condition unknown. */
  private String missing(Map<String, Object> object) {
    return "the object has no field "
        + variables.stream()
            .filter(name -> !name.equals(WHOLE) && object.get(name) == null)
            .collect(Collectors.joining(", "));
  }

  private static CelFailure failure(String message) {
    return new CelFailure(CelFailure.Cause.OTHER, message);
  }

  /** CEL knows whole numbers as Long and others as Double; null is a field that is not there. */
  private static Object value(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        Map<String, Object> out = LinkedHashMap.newLinkedHashMap(map.size());
        map.forEach(
            (key, item) -> {
              if (item != null) {
                out.put(String.valueOf(key), value(item));
              }
            });
        yield out;
      }
      case List<?> list -> list.stream().filter(Objects::nonNull).map(CelCondition::value).toList();
      case Integer number -> number.longValue();
      case Long number -> number;
      case Number number -> number.doubleValue();
      case null -> throw new IllegalArgumentException("no field is null");
      default -> value;
    };
  }
}
