package dev.slipway.applications.plan;

import dev.slipway.engine.intake.Canonical;
import dev.slipway.engine.plan.UnknownValue;
import dev.slipway.engine.value.Sealed;
import dev.slipway.engine.workflow.Parameter;
import dev.slipway.engine.workflow.ParameterBinding;
import dev.slipway.engine.workflow.Workflow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The values of identifying parameters as the create run of a resource had them. They count for
 * every later run, so that no document leads an update or a deletion to another thing.
 */
public record RecordedIdentity(Map<String, @Nullable Object> values) {
  /** The code of a document that changes one. */
  public static final String CODE = "replacement-needed";

  /** Of a resource that no run has begun to create. */
  public static final RecordedIdentity NONE = new RecordedIdentity(Map.of());

  /** Which of them these params change. A param that is left out changes nothing. */
  public List<String> changed(Workflow workflow, Map<String, ? extends @Nullable Object> params) {
    List<String> changed = new ArrayList<>();
    new TreeMap<>(values)
        .forEach(
            (name, recorded) -> {
              Object asked = params.get(name);
              if (asked != null
                  && !(asked instanceof UnknownValue)
                  && !same(workflow, name, asked)) {
                changed.add(name);
              }
            });
    return changed;
  }

  private boolean same(Workflow workflow, String name, Object asked) {
    Object recorded = values.get(name);
    if (recorded == null || asked instanceof Sealed || recorded instanceof Sealed) {
      return false;
    }
    Object converted =
        workflow.parameters().stream()
            .filter(parameter -> parameter.name().equals(name))
            .findFirst()
            .flatMap(parameter -> ParameterBinding.converted(parameter, asked))
            .orElse(asked);
    return Canonical.hash(converted).equals(Canonical.hash(recorded))
        || Canonical.hash(asked).equals(Canonical.hash(recorded));
  }

  /** Those params without the names on record. */
  public Map<String, @Nullable Object> without(Map<String, @Nullable Object> params) {
    Map<String, @Nullable Object> left = new LinkedHashMap<>(params);
    left.keySet().removeAll(values.keySet());
    return left;
  }

  /** Injected values together with those on record. */
  public Map<String, Object> over(Map<String, Object> injected) {
    Map<String, Object> all = new LinkedHashMap<>(values);
    all.putAll(injected);
    return all;
  }

  /** The bound parameters of a workflow that are recorded as identifying. */
  public static Map<String, @Nullable Object> of(
      Workflow workflow, Map<String, ? extends @Nullable Object> bound) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (Parameter parameter : workflow.parameters()) {
      if (parameter.part() == Parameter.Part.IDENTIFYING && bound.get(parameter.name()) != null) {
        values.put(parameter.name(), bound.get(parameter.name()));
      }
    }
    return values;
  }

  public static String message(List<String> changed) {
    return "'"
        + String.join("', '", changed)
        + "' identifies the resource and cannot change while it exists";
  }

  public static String hint(String resource) {
    return "Write the value of before, or confirm that it may be deleted and created anew: --replace "
        + resource;
  }
}
