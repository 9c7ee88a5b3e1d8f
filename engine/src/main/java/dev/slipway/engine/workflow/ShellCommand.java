package dev.slipway.engine.workflow;

import java.util.ArrayList;
import java.util.List;

/** A command of a script: simple, or made of others (a loop, a subshell, a function's body). */
final class ShellCommand {
  final List<ShellWord> assignments = new ArrayList<>();
  final List<ShellWord> words = new ArrayList<>();

  /** Here-documents and here-strings. */
  final ShellWord input = new ShellWord();

  final List<List<ShellCommand>> inside = new ArrayList<>();

  /** Everything that flows into this command and what is inside it. */
  ShellWord all() {
    ShellWord all = new ShellWord();
    assignments.forEach(all::take);
    words.forEach(all::take);
    all.take(input);
    inside.forEach(pipeline -> pipeline.forEach(command -> all.take(command.all())));
    return all;
  }
}
