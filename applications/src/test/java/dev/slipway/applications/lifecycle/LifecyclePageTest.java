package dev.slipway.applications.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.lifecycle.Lifecycles;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.lifecycle.Transitions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page with the drawn tables says what the tables say. {@code -Dupdate} writes it anew. */
class LifecyclePageTest {
  private static final Path PAGE = Path.of("../docs/5-lifecycle.md");

  @Test
  void the_page_is_drawn_from_the_tables() throws IOException {
    String page =
        "# 5. Lifecycle\n\n"
            + "Every change of a state asks one of these tables (`engine/lifecycle/Lifecycles`,"
            + " `applications/lifecycle/ResourceLifecycle`), which this page is drawn from. Anything else is refused: \"cannot transition from X"
            + " to Y\".\n"
            + "Each transition of a resource is kept with its actor, reason, run, time and epoch.\n"
            + section("Resources", ResourceLifecycle.TABLE)
            + "\n"
            + "An application has the state that the first of these words names which any of its"
            + " resources is in: deprovisioning, updating, provisioning, failed, degraded,"
            + " requested; else it is active.\n"
            + section("Runs", Lifecycles.RUN)
            + section("Steps", Lifecycles.STEP);
    if (System.getProperty("update") != null) {
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE).as("write it anew with -Dupdate").hasContent(page);
  }

  private static <S extends Enum<S> & State> String section(String title, Transitions<S> table) {
    Map<String, String> arrows = new LinkedHashMap<>();
    StringBuilder rows = new StringBuilder();
    for (var row : table.rows()) {
      String by =
          row.by().stream()
              .map(a -> a.name().toLowerCase(java.util.Locale.ROOT))
              .collect(Collectors.joining(", "));
      arrows.merge(id(row.from()) + " --> " + id(row.to()), by, (a, b) -> a + ", " + b);
      rows.append(
          "| %s | %s | %s | %s |%n".formatted(row.from().text(), row.to().text(), by, row.when()));
    }
    StringBuilder text = new StringBuilder("\n## " + title + "\n\n```mermaid\nstateDiagram-v2\n");
    arrows.forEach(
        (arrow, by) -> text.append("  ").append(arrow).append(" : ").append(by).append('\n'));
    return text.append("```\n\n| from | to | by | when |\n|---|---|---|---|\n")
        .append(rows)
        .toString();
  }

  private static String id(State state) {
    return state.text().replace('-', '_');
  }
}
