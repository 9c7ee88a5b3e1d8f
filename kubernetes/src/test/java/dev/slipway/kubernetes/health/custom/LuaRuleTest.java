package dev.slipway.kubernetes.health.custom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.assess.HealthRules;
import dev.slipway.kubernetes.health.assess.Manifests;
import dev.slipway.kubernetes.lua.LuaFailure;
import dev.slipway.kubernetes.lua.LuaScript;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LuaRuleTest {
  private static String judged(String script, LiveObject object) throws LuaFailure {
    LuaRule rule = new LuaRule(LuaScript.compile(script), InstantSource.fixed(Instant.EPOCH));
    CustomRule custom = CustomRule.of("test", new KindPattern("*", "*"), rule);
    return new HealthRules(List.of(new CustomRules(List.of(custom))))
        .judge(object, Neighbours.NONE)
        .health()
        .map(h -> h.status().text() + "|" + h.message())
        .orElse("none");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "return {status = 'Degraded', message = 'no'} ~ Degraded|no",
        "return {status = 'Missing'} ~ Missing|",
        "hs = {} hs.status = 'Suspended' return hs ~ Suspended|",
        "return {Status = 'Healthy', MESSAGE = 'x'} ~ Healthy|x",
        "return {status = 'Healthy', message = ''} ~ Healthy|",
        "return {status = 'Failed', message = 'x'} ~ Unknown|Lua returned an invalid health status",
        "return {status = 'healthy'} ~ Unknown|Lua returned an invalid health status",
        "return {message = 'x'} ~ Unknown|Lua returned an invalid health status",
        "return {status = 1} ~ none",
        "return nil ~ none",
        "return {} ~ none",
        "return ~ none",
        "local x = 1 ~ none",
        "return {1, 2} ~ none",
        "return 'Healthy' ~ Unknown|expect table output from Lua script, not string",
        "return 5 ~ Unknown|expect table output from Lua script, not number",
        "return true ~ Unknown|expect table output from Lua script, not boolean",
        "return print ~ Unknown|expect table output from Lua script, not function",
        "return obj.status.phase ~ Unknown|<string>:1: attempt to index a non-table object(nil) with key 'phase'",
        "error('out of luck') ~ Unknown|<string>:1: out of luck",
        "while true do end ~ Unknown|the script takes more than 1000000 instructions"
      })
  void results_mean_what_they_mean_in_argo_cd(String script, String expected) throws LuaFailure {
    LiveObject object = Manifests.one("{apiVersion: v1, kind: Thing, metadata: {name: a}}");
    assertThat(judged(script, object)).isEqualTo(expected);
  }

  @Test
  void a_message_has_at_most_4096_characters() throws LuaFailure {
    LiveObject object = Manifests.one("{apiVersion: v1, kind: Thing}");
    String judged = judged("return {status='Healthy', message=('x'):rep(9999)}", object);
    assertThat(judged).hasSize("Healthy|".length() + 4096).endsWith("x…");
  }

  @Test
  void a_rule_never_sees_what_a_secret_holds() throws LuaFailure {
    LiveObject secret =
        Manifests.one(
            """
            apiVersion: v1
            kind: Secret
            metadata:
              name: s
              annotations: {kubectl.kubernetes.io/last-applied-configuration: hunter2}
            type: Opaque
            data: {password: hunter2}
            stringData: {password: hunter2}
            """);
    String all =
        """
        local function flat(t)
          local s = ''
          for k, v in pairs(t) do s = s .. k .. (type(v) == 'table' and flat(v) or tostring(v)) end
          return s
        end
        flat = flat
        local function walk(t, s)
          for k, v in pairs(t) do
            if type(v) == 'table' then s = walk(v, s .. k) else s = s .. k .. tostring(v) end
          end
          return s
        end
        return {status='Healthy', message=walk(obj, '')}
        """;
    assertThat(judged(all, secret)).contains("Opaque").doesNotContain("hunter2");
  }

  @Test
  void an_object_that_is_being_deleted_is_progressing_whatever_a_rule_says() throws LuaFailure {
    LiveObject object =
        Manifests.one("{apiVersion: v1, kind: Thing, metadata: {deletionTimestamp: now}}");
    assertThat(judged("return {status='Healthy'}", object)).startsWith("Progressing|");
    LiveObject hook =
        Manifests.one(
            "{apiVersion: v1, kind: Thing, metadata: {deletionTimestamp: now, finalizers:"
                + " [argocd.argoproj.io/hook-finalizer]}}");
    assertThat(judged("return {status='Healthy'}", hook)).startsWith("Healthy|");
  }
}
