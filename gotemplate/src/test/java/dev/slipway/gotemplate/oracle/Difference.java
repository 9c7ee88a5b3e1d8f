package dev.slipway.gotemplate.oracle;

import java.util.Collection;

/** A case on which the two sides do not agree. */
record Difference(OracleCase oracleCase, String template, Outcome go, Outcome java) {
  Difference(OracleCase oracleCase, Outcome java) {
    this(oracleCase, oracleCase.template(), oracleCase.go(), java);
  }

  String id() {
    return oracleCase.id();
  }

  /** One line, for patterns of known differences. */
  String summary() {
    String options = oracleCase.json().path("options").toString();
    return String.join(
        " ", id(), options, template, "=> go", go.toString(), "=> java", java.toString());
  }

  static String table(Collection<Difference> differences) {
    StringBuilder table = new StringBuilder();
    for (Difference each : differences) {
      table.append(each.id()).append("  ").append(each.oracleCase.json().path("options"));
      table.append("\n  template  ").append(each.template.replace("\n", "\n            "));
      table.append("\n  go        ").append(each.go);
      table.append("\n  java      ").append(each.java).append("\n");
    }
    return table.toString();
  }
}
