package dev.slipway.cli;

import java.io.PrintStream;

/** What the terminal can do: colours and redrawing only where a person looks at it. */
final class Screen {

  private final boolean terminal;
  private final boolean colours;

  private Screen(boolean terminal, boolean colours) {
    this.terminal = terminal;
    this.colours = colours;
  }

  static Screen of(java.util.Map<String, String> env, boolean noColour) {
    boolean terminal =
        System.console() != null
            && System.console().isTerminal()
            && !"dumb".equals(env.getOrDefault("TERM", "dumb"));
    return new Screen(
        terminal, terminal && !noColour && env.getOrDefault("NO_COLOR", "").isEmpty());
  }

  boolean terminal() {
    return terminal;
  }

  String paint(Ink ink, String text) {
    return colours && ink != Ink.PLAIN ? "\u001b[" + ink.code + "m" + text + "\u001b[0m" : text;
  }

  /** The ink of a state's name. */
  Ink inkOf(String state) {
    return switch (state) {
      case "active", "succeeded", "completed", "Healthy", "granted", "ok" -> Ink.GOOD;
      case "failed",
          "rejected",
          "Failed",
          "Degraded",
          "Missing",
          "degraded",
          "expired",
          "unhealthy" ->
          Ink.BAD;
      case "provisioning", "updating", "running", "Progressing" -> Ink.BUSY;
      case "waiting", "deprovisioning", "partial", "cancelled", "pending" -> Ink.WARN;
      default -> Ink.DIM;
    };
  }

  String state(String state) {
    return paint(inkOf(state), state);
  }

  /** Draws lines over those drawn before. */
  void redraw(PrintStream out, int before, java.util.List<String> lines) {
    StringBuilder text = new StringBuilder();
    if (before > 0) {
      text.append("\u001b[").append(before).append('A');
    }
    lines.forEach(line -> text.append("\u001b[2K").append(line).append('\n'));
    for (int i = lines.size(); i < before; i++) {
      text.append("\u001b[2K\n");
    }
    if (lines.size() < before) {
      text.append("\u001b[").append(before - lines.size()).append('A');
    }
    out.print(text);
    out.flush();
  }
}
