package dev.slipway.kubernetes.lua;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts that want more than a verdict. */
class HostileScriptTest {
  /** The usual limits, but for that of time: these tests do not depend on how busy a machine is. */
  private static final LuaLimits LIMITS =
      new LuaLimits(
          LuaLimits.DEFAULT.instructions(),
          LuaLimits.DEFAULT.memory(),
          LuaLimits.DEFAULT.text(),
          Duration.ofMinutes(10));

  private static Object run(String source) throws LuaFailure {
    return LuaScript.compile(source)
        .evaluate(Map.of("obj", Map.of("a", "b")), LIMITS, Instant.EPOCH);
  }

  private static String failure(String source) {
    try {
      return "no failure: " + run(source);
    } catch (LuaFailure e) {
      return e.text();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "luajava",
        "io",
        "debug",
        "coroutine",
        "package",
        "load",
        "loadstring",
        "loadfile",
        "dofile",
        "getmetatable",
        "setfenv",
        "getfenv",
        "newproxy",
        "module",
        "os.execute",
        "os.exit",
        "os.getenv",
        "os.remove",
        "os.rename",
        "os.tmpname",
        "os.clock",
        "os.setlocale",
        "string.dump",
        "bit32"
      })
  void what_reaches_outside_is_not_there(String name) throws LuaFailure {
    assertThat(run("return {" + name + " == nil}")).isEqualTo(List.of(true));
  }

  @Test
  void only_os_can_be_required_and_it_is_the_small_one() throws LuaFailure {
    assertThat(run("local n = 0; for _ in pairs(require('os')) do n = n + 1 end; return n"))
        .isEqualTo(2.0);
    assertThat(failure("require('io')")).contains("module io not found");
    assertThat(failure("require('java.lang.Runtime')")).contains("not found");
  }

  @Test
  void compiled_lua_is_refused() {
    assertThatThrownBy(() -> LuaScript.compile("\u001bLua\u0052\u0000"))
        .isInstanceOf(LuaFailure.class)
        .hasMessageContaining("compiled Lua");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "while true do end",
        "repeat until false",
        "for i = 1, 1/0 do end",
        "goto top; ::top:: goto top",
        "local function f() return f() end; return f()",
        "for i = 1, 1e9 do pcall(error, 'x') end",
        "while true do pcall(function() while true do end end) end",
        "local t = {}; t[1] = 1; for i = 1, 1e9 do table.sort(t, function() return true end) end",
        "while true do xpcall(error, function() end) end",
        "local function f(...) return f(1, ...) end; return f()",
        "local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}); return t[1]",
        "for k in string.gmatch(string.rep('x', 1e6), '.-') do end",
        "local s = string.rep('a', 1e5); for i = 1, 1e9 do local x = s:upper() end",
        "local s = string.rep('a', 1e6); while true do if s:find('b', 1, true) then end end"
      })
  void a_script_without_end_is_ended(String source) {
    assertThat(failure(source)).containsPattern("more than|stack overflow");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "return string.find(string.rep('a', 1000), string.rep('a-', 30) .. 'b')",
        "return string.find(string.rep('a', 200), string.rep('a*', 50) .. 'b')",
        "return string.match(string.rep('a', 5000), '(.-)(.-)(.-)(.-)b')",
        "return string.gsub(string.rep('(', 1e5), '%b()', '')",
        "return string.find(string.rep('x', 1e5), '[' .. string.rep('a', 1e5) .. ']')"
      })
  void a_pattern_that_backtracks_without_end_reaches_the_limit(String source) {
    assertThat(failure(source)).contains("more than 1000000 instructions");
  }

  @Test
  void a_pattern_with_too_many_items_in_each_other_is_an_error() {
    assertThat(failure("local a = string.rep('a', 999); return a:find(string.rep('a?', 999))"))
        .contains("pattern too complex");
    assertThat(failure("return string.find('a', string.rep('()', 40))"))
        .contains("too many captures");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "return string.rep('x', 2^40)",
        "return string.rep('x', 1e7)",
        "return ('x'):rep(1e9)",
        "return string.rep(string.rep('x', 1e6), 1e6)",
        "local s = 'x'; while true do s = s .. s end",
        "local s = string.rep('x', 1e6); local t = {}; for i = 1, 1e6 do t[i] = s .. i end",
        "local t = {}; for i = 1, 1e9 do t[i] = {} end",
        "local t = {}; for i = 1, 1e9 do t[i] = function() return t end end",
        "local t = {}; for i = 1, 1e9 do t['k' .. i] = i end",
        "return unpack({}, 1, 1e8)",
        "return unpack({}, -2147483648, 2147483647)",
        "return table.concat({}, 'x', 1, 1)",
        "local t = {}; for i = 1, 1000 do t[i] = string.rep('x', 10000) end; return table.concat(t)",
        "return string.gsub(string.rep('x', 1e5), 'x', string.rep('y', 1e3))",
        "return string.gsub(string.rep('x', 1e5), '', string.rep('y', 1e3))",
        "local t = {}; for i = 1, 200 do t[i] = i end; local f = string.rep('%99d', 200); "
            + "local s = ''; while true do s = s .. string.format(f, unpack(t)) end",
        "return string.format('%s', string.rep('x', 1e6)) .. string.rep('y', 1e6)",
        "return string.byte(string.rep('x', 1e6), 1, -1)",
        "local t = {}; for i = 1, 1e5 do table.insert(t, 1, i) end",
        "local s = string.rep('x', 1e6); for i = 1, 100 do s:reverse() end",
        "return os.date(string.rep('%A', 1e6))"
      })
  void memory_is_limited_before_it_is_taken(String source) {
    assertThat(failure(source)).containsPattern("more than|invalid value|wrong");
  }

  @Test
  void width_and_precision_of_formats_are_small() {
    assertThat(failure("return string.format('%999999999d', 1)")).contains("invalid format");
    assertThat(failure("return string.format('%.999999999f', 1)")).contains("invalid format");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "local function f(n) return 1 + f(n + 1) end; return f(1)",
        "local t = {}; setmetatable(t, {__tostring = tostring}); return tostring(t)",
        "local t = {}; setmetatable(t, {__index = t}); return t.x",
        "local t = {}; setmetatable(t, {__eq = function(a, b) return a == b end}); "
            + "local u = setmetatable({}, {}); return {t == u}",
        "local f = pcall; for i = 1, 100 do f = function(...) return pcall(f, ...) end end "
            + "return f(error)"
      })
  void deep_recursion_ends_the_script_and_nothing_else(String source) {
    assertThat(failure(source)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "((((",
        "return '",
        "x = = 1",
        "goto nowhere",
        "break",
        "return ...+",
        "local local",
        "--[[",
        "[==["
      })
  void text_that_is_no_lua_is_refused_when_it_is_compiled(String source) {
    assertThatThrownBy(() -> LuaScript.compile(source)).isInstanceOf(LuaFailure.class);
  }

  @Test
  void nested_source_is_refused_without_harm() {
    for (String part : List.of("(", "{", "not ", "- ", "a[", "function() ", "if x then ", "do ")) {
      String source = "return " + part.repeat(20_000);
      assertThatThrownBy(() -> LuaScript.compile(source)).isInstanceOf(LuaFailure.class);
    }
    assertThatThrownBy(() -> LuaScript.compile("--" + "x".repeat(300_000)))
        .hasMessageContaining("at most");
  }

  @Test
  void pcall_catches_errors_but_no_limit() throws LuaFailure {
    assertThat(run("local ok, e = pcall(error, {a = 1}); return {ok, e.a}"))
        .isEqualTo(List.of(false, 1.0));
    assertThat(failure("pcall(function() while true do end end); return 'went on'"))
        .contains("more than 1000000 instructions");
    assertThat(failure("pcall(string.rep, 'x', 1e9); return 'went on'")).contains("more than");
    assertThat(failure("xpcall(function() while true do end end, function() return 1 end)"))
        .contains("more than 1000000 instructions");
  }

  @Test
  void what_a_script_changes_is_gone_for_the_next_one() throws LuaFailure {
    run(
        """
        string.upper = function() return 'mine' end
        string.evil = 1; table.evil = 1; math.evil = 1; os.evil = 1; _G.evil = 1
        os.time = nil; tostring = nil; pairs = nil; obj.evil = 1; actionParams = 1
        pcall(function() ('').evil = 1 end)
        pcall(setmetatable, '', {__index = function() return 'mine' end})
        """);
    assertThat(
            run(
                """
                return {string.upper('a'), ('a'):upper(), string.evil == nil, table.evil == nil,
                  math.evil == nil, os.evil == nil, evil == nil, (''):len(), os.time(), obj.evil == nil,
                  type(tostring), type(pairs), ('').evil == nil}
                """))
        .isEqualTo(
            List.of(
                "A",
                "A",
                true,
                true,
                true,
                true,
                true,
                0.0,
                0.0,
                true,
                "function",
                "function",
                true));
  }

  @Test
  void the_methods_of_strings_cannot_be_changed() throws LuaFailure {
    assertThat(run("local ok = pcall(function() ('x').rep = 1 end); return {ok}"))
        .isEqualTo(List.of(false));
    assertThat(run("string.rep = 1; return ('x'):rep(3)")).isEqualTo("xxx");
  }

  @Test
  void the_object_that_is_judged_stays_as_it_was() throws LuaFailure {
    Map<String, Object> object = Map.of("list", List.of(1L, 2L), "map", Map.of("a", 1L));
    LuaScript.compile("obj.list[1] = 9; obj.map.a = 9; obj.map.b = 9; return obj")
        .evaluate(Map.of("obj", object), LuaLimits.DEFAULT, Instant.EPOCH);
    assertThat(object).isEqualTo(Map.of("list", List.of(1L, 2L), "map", Map.of("a", 1L)));
  }

  @Test
  void one_script_is_evaluated_by_many_threads_at_a_time() throws Exception {
    LuaScript script =
        LuaScript.compile(
            "x = (x or 0) + obj.n; for i = 1, 1000 do x = x + 1 end; return {x, ('a'):rep(obj.n)}");
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Object>> calls =
          IntStream.range(1, 200)
              .<Callable<Object>>mapToObj(
                  n ->
                      () ->
                          script.evaluate(
                              Map.of("obj", Map.of("n", (long) n)),
                              LuaLimits.DEFAULT,
                              Instant.EPOCH))
              .toList();
      int n = 1;
      for (Future<Object> each : threads.invokeAll(calls)) {
        assertThat(each.get()).isEqualTo(List.of(1000.0 + n, "a".repeat(n)));
        n++;
      }
    }
  }

  @Test
  void results_that_are_no_tree_have_no_health() {
    assertThat(failure("local t = {}; t.t = t; return t")).contains("recursively nested");
    assertThat(failure("return {[3] = 1}")).contains("sparse");
    assertThat(failure("return {1, a = 1}")).contains("mixed");
    assertThat(failure("return {[true] = 1}")).contains("invalid key");
  }

  @Test
  void time_is_limited_where_work_is_not() throws LuaFailure {
    LuaScript script = LuaScript.compile("while true do end");
    LuaLimits limits = new LuaLimits(Long.MAX_VALUE, 1 << 20, 1 << 20, Duration.ofMillis(20));
    assertThatThrownBy(() -> script.evaluate(Map.of(), limits, Instant.EPOCH))
        .isInstanceOf(LuaFailure.class)
        .hasMessageContaining("longer than 20 ms");
  }

  @Test
  void a_limit_is_reached_at_the_same_place_every_time() {
    String source = "local n = 0; while true do n = n + 1; obj.a = n end";
    assertThat(failure(source)).isEqualTo(failure(source));
  }
}
