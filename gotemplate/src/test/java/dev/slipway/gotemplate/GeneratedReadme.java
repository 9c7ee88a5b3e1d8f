package dev.slipway.gotemplate;

import dev.slipway.gotemplate.oracle.OracleCases;
import dev.slipway.gotemplate.sprig.Sprig;
import dev.slipway.gotemplate.sprig.TenantFunctions;
import dev.slipway.gotemplate.sprig.WorkflowFunctions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The parts of README.md that come from the code. */
final class GeneratedReadme {
  private GeneratedReadme() {}

  static String filledIn(String readme) {
    String withFunctions = replaced(readme, "functions", functions());
    return replaced(withFunctions, "differences", differences());
  }

  private static String replaced(String text, String part, String content) {
    int start = text.indexOf("-->\n", text.indexOf("<!-- " + part + ":")) + 4;
    return text.substring(0, start)
        + content
        + text.substring(text.indexOf("<!-- end of " + part + " -->"));
  }

  private static String functions() {
    StringBuilder text = new StringBuilder();
    section(text, Functions.builtIn().all());
    section(text, WorkflowFunctions.all().all());
    section(text, onlyOf(TenantFunctions.all(), "Tenants"));
    text.append("### Refused unless the caller adds them\n\n| Names | Reason |\n|---|---|\n");
    reasons(Sprig.pure())
        .forEach((reason, names) -> text.append("| %s | %s |\n".formatted(code(names), reason)));
    return text.toString();
  }

  private static List<Function> onlyOf(Functions functions, String group) {
    return functions.all().stream().filter(each -> each.group().equals(group)).toList();
  }

  private static void section(StringBuilder text, Collection<Function> functions) {
    Map<String, List<Function>> groups =
        functions.stream()
            .collect(Collectors.groupingBy(Function::group, TreeMap::new, Collectors.toList()));
    groups.forEach(
        (group, members) -> {
          text.append("### ").append(group).append("\n\n| Function | Gives |\n|---|---|\n");
          rows(members).forEach((row, names) -> text.append(row.markdown(names)));
          text.append("\n");
        });
  }

  /** Aliases share a row. */
  private record Row(String signature, String doc) {
    String markdown(Collection<String> names) {
      return "| " + code(names) + " `" + signature + "` | " + doc.replace("|", "\\|") + " |\n";
    }
  }

  private static Map<Row, Collection<String>> rows(List<Function> members) {
    Map<Row, Collection<String>> rows = new LinkedHashMap<>();
    for (Function each : members) {
      Row row = new Row(each.signature().text(), each.doc());
      rows.computeIfAbsent(row, _ -> new ArrayList<>()).add(each.name());
    }
    return rows;
  }

  private static Map<String, Collection<String>> reasons(Functions functions) {
    Map<String, Collection<String>> reasons = new TreeMap<>();
    functions
        .excluded()
        .forEach((name, reason) -> reasons.computeIfAbsent(reason, _ -> new TreeSet<>()).add(name));
    return reasons;
  }

  private static String code(Collection<String> names) {
    return names.stream().map(name -> "`" + name + "`").collect(Collectors.joining(" "));
  }

  private static String differences() {
    return OracleCases.knownDifferences().stream()
        .map(reason -> "- " + reason + "\n")
        .collect(Collectors.joining());
  }
}
