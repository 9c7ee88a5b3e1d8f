package dev.slipway.engine.resolve;

import static dev.slipway.engine.grammar.Field.old;
import static dev.slipway.engine.grammar.Field.optional;
import static dev.slipway.engine.grammar.Field.required;

import dev.slipway.engine.grammar.Form;
import dev.slipway.engine.grammar.Grammar;
import dev.slipway.engine.grammar.Rule;
import dev.slipway.engine.grammar.Shape;
import dev.slipway.engine.grammar.Shape.In;
import dev.slipway.engine.grammar.Shape.ListOf;
import dev.slipway.engine.grammar.Shape.Matching;
import dev.slipway.engine.grammar.Shape.Words;
import java.util.LinkedHashMap;
import java.util.List;

/** Every map of a {@code provider.yaml}. */
public final class ManifestForms {
  private static final Shape TYPE =
      new Matching(ManifestParser.TYPE.pattern(), "a resource type's name");
  private static final Shape VERSION =
      new Matching(ManifestParser.SEMVER.pattern(), "a semantic version");

  static final Form METADATA =
      Form.of(
          "metadata",
          "Who the provider is.",
          required(
              "name",
              new Matching(ManifestParser.LABEL.pattern(), ManifestParser.LABEL_WORDS),
              "unique among the configured providers"),
          required("version", VERSION, "a semantic version such as 1.4.0"),
          optional("category", Shape.TEXT, "such as `infrastructure` or `service`"),
          optional("description", Shape.TEXT, "what it is for"),
          optional("author", Shape.TEXT, "who made it"),
          optional("homepage", Shape.TEXT, "where to read more"),
          optional("repository", Shape.TEXT, "where its sources are"),
          optional("license", Shape.TEXT, "such as `Apache-2.0`"),
          optional("tags", Shape.TEXTS, "words to find it by"));

  static final Form COMPATIBILITY =
      Form.of(
          "compatibility",
          "Versions of the provider contract, now "
              + ProviderLoader.CONTRACT_VERSION
              + ", that it is made for; both bounds are included. Outside of them it is listed as"
              + " incompatible and not used.",
          optional("minCoreVersion", VERSION, "the lowest"),
          optional("maxCoreVersion", VERSION, "the highest"));

  static final Form OPTION =
      Form.of(
          "option",
          "One of several workflows for an operation.",
          required("name", Shape.FILLED, "a workflow of this provider"),
          optional(
              "tags",
              Shape.TEXTS,
              "tags of `slipway.dev/workflow-tags` that ask for it; most matches win"));

  static final Form CHOICE =
      Form.of(
              "operation",
              "Which workflow does an operation.",
              optional("workflow", Shape.TEXT, "the workflow"),
              optional(
                  "workflows",
                  new ListOf(new In(OPTION), 1, Integer.MAX_VALUE),
                  "several, distinguished by tags"),
              optional(
                  "default",
                  Shape.TEXT,
                  "which of several counts when tags do not decide; required with several"))
          .with(new Rule.ExactlyOne("workflow", "workflows"));

  static final Form OPERATIONS =
      Form.of(
          "operations",
          "What can be done with a type. Without `update` a change is refused, without `delete`"
              + " only an orphaning delete is possible.",
          optional("create", new In(CHOICE), "makes it"),
          optional("read", new In(CHOICE), "looks at it and changes nothing; used for drift"),
          optional("update", new In(CHOICE), "changes it"),
          optional("delete", new In(CHOICE), "removes it"));

  static final Form CAPABILITY =
      Form.of(
              "capability",
              "One type in the per-operation form.",
              required("type", TYPE, "the resource type"),
              optional(
                  "aliasFor",
                  Shape.TEXT,
                  "another name of that type of this provider; chains are allowed, circles are"
                      + " not"),
              optional("operations", new In(OPERATIONS), "its workflows by operation"),
              optional(
                  "deletionPolicy",
                  new Words("delete", "retain", "orphan"),
                  "delete",
                  "what becomes of the real object when it is no longer used"),
              optional("description", Shape.ANYTHING, "for people"))
          .with(new Rule.ExactlyOne("aliasFor", "operations"));

  static final Form CAPABILITIES =
      Form.of(
          "capabilities",
          "Which resource types it serves.",
          optional(
              "resourceTypes",
              new ListOf(TYPE),
              "simple form: served by the workflow that fits by operation, resource type and tags"),
          optional(
              "resourceTypeCapabilities",
              new ListOf(new In(CAPABILITY)),
              "per-operation form, which wins for the types it lists"));

  static final Form ENTRY =
      Form.of(
          "workflowEntry",
          "One workflow of the provider.",
          required("name", Shape.FILLED, "unique in the provider"),
          required(
              "file",
              Shape.FILLED,
              "the workflow's file, relative to provider.yaml and inside the provider's directory"),
          optional(
              "category",
              new Words("provisioner", "goldenpath"),
              "provisioner",
              "whether it serves resources, or people start it"),
          optional(
              "operation",
              new Words("create", "read", "update", "delete"),
              "create and update",
              "for the simple form: what it does"),
          optional("resourceType", Shape.TEXT, "for the simple form: the only type it serves"),
          optional("resourceTypes", Shape.TEXTS, "for the simple form: the only types it serves"),
          optional("tags", Shape.TEXTS, "words to find it by; one equal to a type prefers it"),
          optional("version", Shape.SCALAR, "for people"),
          optional("description", Shape.TEXT, "for people"),
          optional("allowedTeams", Shape.TEXTS, "every team", "of a golden path: who may start it"),
          optional("estimatedDuration", Shape.ANYTHING, "for people"));

  static final Form OLD_ENTRY =
      ENTRY.extended(
          "oldEntry",
          List.of(
              optional(
                  "file", Shape.FILLED, "the workflow's file; without one there is nothing to run"),
              optional("type", Shape.TEXT, "the resource type that it serves"),
              optional("author", Shape.ANYTHING, "for people")));

  static final Form MANIFEST =
      Form.of(
              "provider",
              "The file as a whole.",
              required("apiVersion", new Words("v1", "innominatus.io/v1"), "`v1`"),
              required("kind", new Words("Provider", "Platform"), "`Provider`"),
              required("metadata", new In(METADATA), "see [metadata](#metadata)"),
              optional(
                  "compatibility", new In(COMPATIBILITY), "see [compatibility](#compatibility)"),
              optional("capabilities", new In(CAPABILITIES), "see [capabilities](#capabilities)"),
              optional(
                  "workflows",
                  new ListOf(new In(ENTRY)),
                  "at least one; see [workflows](#workflowentry)"),
              optional(
                  "configuration", Shape.OPEN_MAP, "values for templates: `{{ .config.NAME }}`"),
              old("provisioners", new ListOf(new In(OLD_ENTRY)), "list them under `workflows`"),
              old(
                  "goldenpaths",
                  new ListOf(new In(OLD_ENTRY)),
                  "list them under `workflows` with `category: goldenpath`"))
          .with(new Rule.AtLeastOne("workflows", "provisioners", "goldenpaths"));

  /** Everything that such a file may hold. */
  public static final Grammar GRAMMAR =
      new Grammar(
          "provider",
          "A Slipway provider manifest (provider.yaml)",
          new In(MANIFEST),
          Grammar.Spellings.CAMEL_AND_SNAKE,
          List.of(
              MANIFEST,
              METADATA,
              COMPATIBILITY,
              CAPABILITIES,
              CAPABILITY,
              OPERATIONS,
              CHOICE,
              OPTION,
              ENTRY,
              OLD_ENTRY),
          new LinkedHashMap<>());

  private ManifestForms() {}
}
