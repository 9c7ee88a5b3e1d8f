package dev.slipway.bench;

import dev.cel.bundle.Cel;
import dev.cel.bundle.CelFactory;
import dev.cel.common.types.SimpleType;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelRuntime;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.kubernetes.cel.CelCondition;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.assess.HealthRules;
import dev.slipway.kubernetes.health.assess.ManifestFile;
import dev.slipway.kubernetes.health.custom.LuaRule;
import dev.slipway.kubernetes.lua.LuaScript;
import java.io.ByteArrayInputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.luaj.vm2.Globals;
import org.luaj.vm2.LuaClosure;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Prototype;
import org.luaj.vm2.compiler.LuaC;
import org.luaj.vm2.lib.jse.JsePlatform;

/**
 * Evaluations of health rules a second, by processor time of one thread: a script and a condition,
 * each beside the bare library that it stands on, which has neither limits nor globals of its own.
 */
public final class RulesBenchmark {
  private static final int ROUNDS = 15;
  private static final int EACH = 2_000;
  private static final double LUA_GOAL_MICROSECONDS = 100;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static final String SCRIPT =
      """
      local hs = {}
      if obj.status ~= nil and obj.status.conditions ~= nil then
        for i, condition in ipairs(obj.status.conditions) do
          if condition.type == "Issuing" and condition.status == "True" then
            hs.status = "Progressing"
            hs.message = condition.message
            return hs
          end
        end
        for i, condition in ipairs(obj.status.conditions) do
          if condition.type == "Ready" and condition.status == "True" then
            hs.status = "Healthy"
            hs.message = condition.reason .. ": " .. condition.message
            return hs
          end
        end
      end
      hs.status = "Progressing"
      hs.message = "waits for " .. obj.metadata.name
      return hs
      """;
  private static final String CONDITION =
      "status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')"
          + " && status.readyReplicas == spec.replicas";

  /** Work that is done once. */
  private interface Work {
    Object once() throws Exception;
  }

  private RulesBenchmark() {}

  /** Prints a table; exits with 1 when a script takes longer than the goal. */
  public static void main(String[] arguments) throws Exception {
    LiveObject object = object();
    Figures figures = new Figures();
    LuaRule rule = new LuaRule(LuaScript.compile(SCRIPT), InstantSource.system());
    double[] lua = inTurns(() -> rule.judge(object, Neighbours.NONE), bareLua(object));
    add(figures, "Lua evaluations", "< 100 µs", "bare LuaJ", lua);
    CelCondition condition = CelCondition.compile(CONDITION);
    double[] cel = inTurns(() -> condition.holds(object.fields()), bareCel(object));
    add(figures, "CEL evaluations", "", "bare CEL", cel);
    double[] builtIn =
        inTurns(
            () -> HealthRules.BUILT_IN.judge(object, Neighbours.NONE),
            () -> rule.judge(object, Neighbours.NONE));
    add(figures, "built-in rule of the kind", "", "the script", builtIn);
    figures.print();
    System.exit(lua[0] > LUA_GOAL_MICROSECONDS ? 1 : 0);
  }

  private static void add(
      Figures figures, String what, String goal, String baseline, double[] micros) {
    figures.add(
        what,
        "%,.0f/s, %.1f µs each".formatted(1e6 / micros[0], micros[0]),
        goal,
        "%s: %,.0f/s, %.1f µs".formatted(baseline, 1e6 / micros[1], micros[1]),
        "%.2f".formatted(micros[1] / micros[0]));
  }

  /** Medians in microseconds of processor time; the first third of the rounds warms up. */
  private static double[] inTurns(Work one, Work other) throws Exception {
    double[] first = new double[ROUNDS];
    double[] second = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      first[i] = micros(one);
      second[i] = micros(other);
    }
    return new double[] {median(first), median(second)};
  }

  private static double median(double[] all) {
    double[] warm = Arrays.copyOfRange(all, ROUNDS / 3, ROUNDS);
    Arrays.sort(warm);
    return warm[warm.length / 2];
  }

  private static double micros(Work work) throws Exception {
    long start = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < EACH; i++) {
      Objects.requireNonNull(work.once());
    }
    return (THREADS.getCurrentThreadCpuTime() - start) / 1e3 / EACH;
  }

  private static Work bareLua(LiveObject object) throws Exception {
    Globals globals = JsePlatform.standardGlobals();
    byte[] source = SCRIPT.getBytes(StandardCharsets.UTF_8);
    Prototype code = LuaC.instance.compile(new ByteArrayInputStream(source), "script");
    return () -> {
      globals.set("obj", toLua(object.fields()));
      LuaValue result = new LuaClosure(code, globals).call();
      return result.get("status").tojstring() + result.get("message").tojstring();
    };
  }

  private static LuaValue toLua(Object value) {
    return switch (value) {
      case String text -> LuaValue.valueOf(text);
      case Boolean flag -> LuaValue.valueOf(flag);
      case Number number -> LuaValue.valueOf(number.doubleValue());
      case Map<?, ?> map -> {
        LuaTable table = new LuaTable();
        map.forEach((key, item) -> table.set((String) key, toLua(item)));
        yield table;
      }
      case List<?> list -> {
        LuaTable table = new LuaTable();
        list.forEach(item -> table.set(table.length() + 1, toLua(item)));
        yield table;
      }
      default -> LuaValue.NIL;
    };
  }

  private static Work bareCel(LiveObject object) throws Exception {
    Cel cel =
        CelFactory.standardCelBuilder()
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addVar("status", SimpleType.DYN)
            .addVar("spec", SimpleType.DYN)
            .build();
    CelRuntime.Program program = cel.createProgram(cel.compile(CONDITION).getAst());
    return () -> program.eval(object.fields());
  }

  /** A Deployment as a cluster has it, of some 150 values. */
  private static LiveObject object() {
    StringBuilder yaml = new StringBuilder();
    yaml.append(
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web, namespace: shop, generation: 4, uid: 1b4e28ba-2fa1-11d2-883f-0016d3cca427}
        spec:
          replicas: 3
          template:
            spec:
              containers:
        """);
    for (int i = 0; i < 10; i++) {
      yaml.append(
          "      - {name: c%d, image: 'registry/app:%d', ports: [{containerPort: %d}], resources: {limits: {cpu: 1, memory: 1Gi}}, env: [{name: A, value: b}]}\n"
              .formatted(i, i, 8000 + i));
    }
    yaml.append(
        """
        status:
          observedGeneration: 4
          replicas: 3
          updatedReplicas: 3
          readyReplicas: 3
          availableReplicas: 3
          conditions:
          - {type: Progressing, status: 'True', reason: NewReplicaSetAvailable, message: done}
          - {type: Ready, status: 'True', reason: MinimumReplicasAvailable, message: all there}
        """);
    byte[] bytes = yaml.toString().getBytes(StandardCharsets.UTF_8);
    Diagnostics diagnostics = new Diagnostics();
    return Optional.of(ManifestFile.read("bench.yaml", bytes, ManifestFile.LOCAL, diagnostics))
        .map(file -> file.objects().getFirst())
        .orElseThrow();
  }
}
