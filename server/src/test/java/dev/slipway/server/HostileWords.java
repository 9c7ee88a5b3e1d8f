package dev.slipway.server;

import dev.slipway.server.HostileDocuments.Attack;
import dev.slipway.server.HostileDocuments.Knowledge;
import java.util.List;
import java.util.Random;

/** The values of hostile documents, by kind of attack. */
final class HostileWords {
  private final Random random;
  private final Knowledge knowledge;

  HostileWords(Random random, Knowledge knowledge) {
    this.random = random;
    this.knowledge = knowledge;
  }

  String of(Attack attack) {
    String canary = knowledge.canary();
    return switch (attack) {
      case FOREIGN_NAMES, INJECTED_NAMES, SHARED_RESOURCES, ALIASES -> pick(knowledge.foreign());
      case TRAVERSAL ->
          pick(
              List.of(
                  "..",
                  "../..",
                  "../bluefarm",
                  "../../../" + pick(knowledge.foreign()),
                  "/etc/passwd",
                  "a/../../b",
                  "..%2f..%2f",
                  "....//",
                  "./.",
                  "default/bluefarm",
                  "-/../bluefarm",
                  "bluefarm/../../x",
                  "../../blue/farm",
                  "x/%2e%2e/%2e%2e/%2e%2e/blue/farm",
                  "..;/..;/blue/farm",
                  "..\\..\\blue\\farm",
                  "/blue/farm",
                  ".git/config",
                  "../.git/hooks/post-update",
                  "~root",
                  "\\\\..\\.."));
      case OPTIONS ->
          pick(
              List.of(
                  "-rf",
                  "--help",
                  "-n",
                  "--",
                  "-",
                  "-e",
                  "--upload-pack=touch " + canary,
                  "-oProxyCommand=touch " + canary,
                  "--output=" + canary,
                  "--exec=touch " + canary,
                  "-c core.editor=touch"));
      case QUOTING -> quoted(canary);
      case TEMPLATES ->
          pick(
              List.of(
                  "{{ .context.secrets }}",
                  "{{ env \"HOME\" }}",
                  "${resources.thing.path}",
                  "${metadata.name}",
                  "$${x}",
                  "{{ \"{{\" }} touch " + canary,
                  "{% raw %}",
                  "${parameters.team_id}",
                  "{{ range 1000000000 }}x{{ end }}",
                  "#{7*7}",
                  "%s%n%x"));
      case SQL -> sql();
      case UNICODE -> odd();
    };
  }

  private String quoted(String canary) {
    String command = "touch " + canary;
    return pick(
        List.of(
            "'",
            "\"",
            "`" + command + "`",
            "$(" + command + ")",
            "; " + command + " #",
            "' ; " + command + " ; '",
            "\" ; " + command + " ; \"",
            "\\",
            "x\n" + command + "\n",
            "x\r\n" + command,
            "${IFS}",
            "> " + canary,
            "| tee " + canary,
            "&& " + command,
            "EOF\n" + command,
            "$((`" + command + "`))",
            "!!",
            "*",
            "{a,b}",
            "$'\\x41'",
            "x\r\nX-Evil: 1",
            "x HTTP/1.1\r\nHost: evil.example\r\n\r\n",
            "@127.0.0.2/",
            "1@evil.example:80/",
            "?team=blue#"));
  }

  private String sql() {
    return pick(
        List.of(
            "'; DROP TABLE keep; --",
            "x\" OWNER \"y",
            "$$; DROP TABLE keep; $$",
            "E'\\'' OR 1=1",
            "); DELETE FROM keep; --",
            "'||(SELECT pg_sleep(10))||'",
            "postgres",
            "template1",
            "pg_database_owner",
            "\"; DROP ROLE " + pick(knowledge.foreign()) + "; --",
            "/* */",
            "\\'; SELECT 1; --"));
  }

  private String odd() {
    return pick(
        List.of(
            "\u202Eevil",
            "bluef\u0430rm",
            "a\u0301".repeat(50),
            "\uD83D\uDE08".repeat(20),
            "\uFEFFbom",
            "\u200Bzero\u200B",
            "line\u2028separator",
            "nel\u0085",
            "tab\tbell",
            "x".repeat(1 + random.nextInt(5000)),
            "\uFDFA".repeat(300),
            "\u0000nul",
            "\uFFFF",
            "ﬁ ligature"));
  }

  private String pick(List<String> from) {
    return from.get(random.nextInt(from.size()));
  }
}
