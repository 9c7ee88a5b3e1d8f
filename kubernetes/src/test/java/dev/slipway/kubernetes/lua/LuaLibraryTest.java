package dev.slipway.kubernetes.lua;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class LuaLibraryTest {
  private static final Instant NOW = Instant.parse("2026-03-02T09:14:07Z");

  private static Object run(String source) throws LuaFailure {
    return LuaScript.compile(source).evaluate(Map.of(), LuaLimits.DEFAULT, NOW);
  }

  @ParameterizedTest
  @MethodSource("dev.slipway.kubernetes.lua.Expressions#all")
  void expressions_have_the_values_of_lua_5_1(Expressions.Expression expression) throws LuaFailure {
    assertThat(run("local v = " + expression.text() + "; return tostring(v)"))
        .isEqualTo(expression.value());
  }

  @Test
  void what_lua_5_2_added_is_not_missed_by_goto() throws LuaFailure {
    assertThat(
            run(
                "for i = 1, 3 do if i == 2 then goto next end; x = (x or '') .. i; ::next:: end return x"))
        .isEqualTo("13");
  }

  @Test
  void sorting_is_that_of_lua() throws LuaFailure {
    assertThat(run("local t = {3, 1, 2}; table.sort(t); return t"))
        .isEqualTo(List.of(1.0, 2.0, 3.0));
    assertThat(
            run("local t = {'b', 'a'}; table.sort(t, function(a, b) return a > b end); return t"))
        .isEqualTo(List.of("b", "a"));
    assertThat(run("local t = {3, 1, 2}; table.sort(t, function() return true end); return #t"))
        .isEqualTo(3.0);
  }

  @Test
  void nothing_in_a_list_is_dropped_and_later_items_move_up() throws LuaFailure {
    Map<String, Object> object = new HashMap<>();
    object.put("list", Arrays.asList("a", null, "b"));
    object.put("none", null);
    object.put("big", 9007199254740993L);
    Object found =
        LuaScript.compile("return {#obj.list, obj.list[2], tostring(obj.none)}")
            .evaluate(Map.of("obj", object), LuaLimits.DEFAULT, NOW);
    assertThat(found).isEqualTo(List.of(2.0, "b", "nil"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "local x = obj.a.b | <string>:1: attempt to index a non-table object(nil) with key 'a'",
        "x.y = 1 | <string>:1: attempt to index a non-table object(nil) with key 'y'",
        "nothing() | <string>:1: attempt to call a non-function object",
        "return 1 + {} | <string>:1: cannot perform add operation between number and table",
        "return 'a' .. {} | <string>:1: cannot perform concat operation between string and table",
        "return 1 < 'a' | <string>:1: attempt to compare number with string",
        "error('no') | <string>:1: no",
        "error('no', 0) | no",
        "error({}) | table",
        "assert(false, 'no') | <string>:1: no",
        "string.rep() | <string>:1: bad argument #1 to rep (string expected, got nil)"
      })
  void errors_are_in_the_words_of_argo_cd(String source, String expected) {
    String found = "none";
    try {
      run(source);
    } catch (LuaFailure e) {
      found = e.text();
    }
    assertThat(found).isEqualTo(expected);
  }
}
