package dev.slipway.engine.workflow;

/** The quoting state in which a value stands, which decides how the script refers to it. */
enum ShellPlace {
  /** Outside of quotes: becomes one quoted word. */
  BARE("\"${%s}\""),
  /** In double quotes or a here-document: the shell puts the value in and looks no further. */
  DOUBLE_QUOTED("${%s}"),
  /** In single quotes, which are closed around it and opened again. */
  SINGLE_QUOTED("'\"${%s}\"'"),
  /** In a here-document whose delimiter is quoted; it is rewritten into one without quotes. */
  VERBATIM("${%s}"),
  /** In a comment. */
  COMMENT("${%s}"),
  /** In arithmetic: numbers only. */
  ARITHMETIC("(${%s})");

  private final String form;

  ShellPlace(String form) {
    this.form = form;
  }

  String reference(String variable) {
    return form.replace("%s", variable);
  }
}
