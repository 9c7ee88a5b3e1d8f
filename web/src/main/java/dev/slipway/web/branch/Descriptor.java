package dev.slipway.web.branch;

import dev.slipway.engine.grammar.Form;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.postgres.Scripts;
import dev.slipway.postgres.SealedColumns;
import dev.slipway.web.kind.Kind;
import java.net.URL;
import java.util.List;
import java.util.Optional;

/**
 * What is known of a branch before anything runs.
 *
 * @param name of the branch, as in {@code stacks}: lower-case letters, digits and underscores
 * @param kinds its rows of the table of kinds
 * @param stepTypes that workflows may use because of it; {@link OpenBranch#executors()} does them
 * @param configuration its section of {@code admin-config.yaml}, named as the form is
 * @param migrations the scripts of its own tables; they refer to tables of the trunk at most
 * @param sealedColumns the columns of its tables that hold sealed values
 * @param schemas of what its routes take and give, and of its events: YAML files with {@code
 *     schemas} and {@code events} by name
 */
public record Descriptor(
    String name,
    List<Kind> kinds,
    List<StepType> stepTypes,
    Optional<Form> configuration,
    Optional<Scripts> migrations,
    List<SealedColumns> sealedColumns,
    List<URL> schemas) {

  public Descriptor {
    kinds = List.copyOf(kinds);
    stepTypes = List.copyOf(stepTypes);
    sealedColumns = List.copyOf(sealedColumns);
    schemas = List.copyOf(schemas);
  }

  /** A branch without kinds, step types, configuration and tables, to start from. */
  public static Descriptor named(String name) {
    return new Descriptor(
        name, List.of(), List.of(), Optional.empty(), Optional.empty(), List.of(), List.of());
  }

  public Descriptor kinds(Kind... rows) {
    return new Descriptor(
        name, List.of(rows), stepTypes, configuration, migrations, sealedColumns, schemas);
  }

  public Descriptor stepTypes(StepType... types) {
    return new Descriptor(
        name, kinds, List.of(types), configuration, migrations, sealedColumns, schemas);
  }

  public Descriptor configuredBy(Form form) {
    return new Descriptor(
        name, kinds, stepTypes, Optional.of(form), migrations, sealedColumns, schemas);
  }

  public Descriptor schemas(URL... yaml) {
    return new Descriptor(
        name, kinds, stepTypes, configuration, migrations, sealedColumns, List.of(yaml));
  }

  /** With tables of its own: scripts in {@code db/<name>}, in a history of their own. */
  public Descriptor withTables() {
    return new Descriptor(
        name,
        kinds,
        stepTypes,
        configuration,
        Optional.of(Scripts.ofBranch(name)),
        sealedColumns,
        schemas);
  }

  public Descriptor sealing(List<SealedColumns> columns) {
    return new Descriptor(name, kinds, stepTypes, configuration, migrations, columns, schemas);
  }
}
