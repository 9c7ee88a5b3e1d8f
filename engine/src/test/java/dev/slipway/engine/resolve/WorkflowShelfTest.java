package dev.slipway.engine.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Position;
import dev.slipway.engine.workflow.Workflow;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkflowShelfTest {
  private final AtomicInteger readings = new AtomicInteger();

  private final WorkflowShelf shelf =
      new WorkflowShelf(
          (document, diagnostics) -> {
            readings.incrementAndGet();
            diagnostics.add(
                Diagnostic.warning(
                    "odd", document.file(), Path.ROOT, Position.START, "looks odd", null));
            return Optional.of(
                new Workflow(
                    document.file(), "", List.of(), Map.of(), List.of(), Map.of(), List.of()));
          });

  @Test
  void the_same_bytes_under_the_same_name_are_read_once_and_warn_each_time() {
    WorkflowShelf.Reading first = shelf.read("a.yaml", bytes("kind: Workflow\n"));
    WorkflowShelf.Reading again = shelf.read("a.yaml", bytes("kind: Workflow\n"));

    assertThat(readings).hasValue(1);
    assertThat(again.workflow()).isPresent().isEqualTo(first.workflow());
    assertThat(again.diagnostics()).hasSize(1);
  }

  @Test
  void other_bytes_and_another_name_are_read_anew() {
    shelf.read("a.yaml", bytes("kind: Workflow\n"));
    shelf.read("a.yaml", bytes("kind: Workflow # changed\n"));
    WorkflowShelf.Reading elsewhere = shelf.read("b.yaml", bytes("kind: Workflow\n"));

    assertThat(readings).hasValue(3);
    assertThat(elsewhere.diagnostics().getFirst().file()).isEqualTo("b.yaml");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
