package dev.slipway.cli.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.slipway.engine.grammar.JsonSchema;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.resolve.ProviderTestForms;
import dev.slipway.engine.value.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Editors and the reader of cases agree on what a case is. */
class CaseSchemaTest {
  private static final CaseFile.Offer OFFER =
      new CaseFile.Offer(Set.of("note"), Set.of("path"), Set.of("make"));

  private final Schema schema =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(Json.write(JsonSchema.of(ProviderTestForms.GRAMMAR)), InputFormat.JSON);

  private boolean schemaTakes(String yaml) {
    Object plain =
        Document.parse(
                "c.yaml", yaml.getBytes(StandardCharsets.UTF_8), Limits.PROVIDER, new Diagnostics())
            .orElseThrow()
            .plain();
    return schema.validate(Json.write(plain), InputFormat.JSON).isEmpty();
  }

  private static boolean readerTakes(String yaml) {
    Diagnostics diagnostics = new Diagnostics();
    new CaseFile(OFFER, diagnostics).read("c.yaml", yaml.getBytes(StandardCharsets.UTF_8));
    return !diagnostics.hasErrors();
  }

  @Test
  void what_one_takes_the_other_takes_too() {
    for (String good :
        List.of(
            "{name: a b, type: note}",
            "{name: a b, goldenPath: path, params: {x: 1}, expect: {run: succeeded}}",
            "{name: a b, type: note, policies: {enforceBackups: true}, grants: {hosts: [x]}}",
            "{name: a b, type: note, recorded: {make: [{failure: {code: c, transient: true}},"
                + " {stdout: x}]}}",
            "{name: a b, type: note, sequence: [{operation: create}, {operation: delete, expect:"
                + " {state: deleted}}]}",
            "{name: a b, type: note, ownership: {skip: it is a lookup}}",
            "{name: a b, type: note, ownership: {verify: cat x, shared: {outputs: [host], files:"
                + " ['*.lock']}, existing: {script: touch x, params: {adopt: x}}}}",
            "{name: a b, type: note, expect: {order: any, steps: [make: succeeded, {name: make,"
                + " attempts: 2, inputs: {}}]}}")) {
      assertThat(readerTakes("cases: [" + good + "]")).as(good).isTrue();
      assertThat(schemaTakes("cases: [" + good + "]")).as(good).isTrue();
    }
  }

  @Test
  void what_one_refuses_the_other_refuses_too() {
    for (String bad :
        List.of(
            "{type: note}",
            "{name: a b}",
            "{name: a b, type: note, goldenPath: path}",
            "{name: a b, type: note, parms: {}}",
            "{name: a b, type: note, expect: {state: activ}}",
            "{name: a b, type: note, expect: {steps: [make: done]}}",
            "{name: a b, type: note, recorded: {make: {output: {}}}}",
            "{name: a b, type: note, params: {}, sequence: [{operation: create}]}",
            "{name: a b, goldenPath: path, ownership: {verify: cat x}}",
            "{name: a b, type: note, ownership: {skip: no, verify: cat x}}",
            "{name: a b, type: note, ownership: {skip: ''}}",
            "{name: a b, type: note, ownership: {existing: {params: {}}}}",
            "{name: a b, type: note, ownership: {shared: {output: [host]}}}",
            "{name: a b, type: note, operation: delete}")) {
      assertThat(readerTakes("cases: [" + bad + "]")).as(bad).isFalse();
      assertThat(schemaTakes("cases: [" + bad + "]")).as(bad).isFalse();
    }
  }
}
