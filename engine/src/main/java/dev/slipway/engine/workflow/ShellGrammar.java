package dev.slipway.engine.workflow;

import dev.slipway.engine.workflow.ShellCursor.NotUnderstood;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Puts the words of a script together to commands, as far as is needed to see where code hides. */
final class ShellGrammar {
  private static final Set<String> CLOSERS =
      Set.of("then", "elif", "else", "fi", "do", "done", "esac", "}", "in");

  private final ShellReader reader;
  int backticks;

  final List<List<ShellCommand>> pipelines = new ArrayList<>();
  final Set<String> functions = new HashSet<>();

  /** Words whose value the shell hands to a loop's variable. */
  final List<ShellWord> loops = new ArrayList<>();

  /** {@code [[ ... ]]}. */
  final List<List<ShellWord>> tests = new ArrayList<>();

  ShellGrammar(ShellReader reader) {
    this.reader = reader;
  }

  void script() {
    list(Set.of());
  }

  boolean inBackticks() {
    return backticks > 0;
  }

  /** The commands up to the end of a substitution, which is left to the caller. */
  List<List<ShellCommand>> substitution(boolean inBackticks) {
    if (inBackticks && backticks > 0) {
      throw new NotUnderstood("backticks in backticks");
    }
    backticks += inBackticks ? 1 : 0;
    List<List<ShellCommand>> inside = list(Set.of());
    backticks -= inBackticks ? 1 : 0;
    return inside;
  }

  /** Commands up to one of the closing words or a sign that closes; neither is consumed. */
  private List<List<ShellCommand>> list(Set<String> closers) {
    List<List<ShellCommand>> found = new ArrayList<>();
    reader.enter();
    while (true) {
      reader.blanks();
      if (reader.newline()) {
        continue;
      }
      if (reader.atEnd() || closes() || closers.contains(upcoming())) {
        break;
      }
      if (CLOSERS.contains(upcoming()) && !upcoming().equals("in")) {
        throw new NotUnderstood("unexpected '" + upcoming() + "'");
      }
      List<ShellCommand> pipeline = pipeline();
      found.add(pipeline);
      pipelines.add(pipeline);
      reader.blanks();
      if (reader.ahead(";;") || reader.ahead(";&")) {
        break;
      }
      boolean separated =
          reader.take("&&") || reader.take("||") || reader.take(";") || reader.take("&");
      if (!separated && !reader.atEnd() && !closes() && reader.peek() != '\n') {
        throw new NotUnderstood("unexpected '" + (char) reader.peek() + "'");
      }
    }
    reader.leave();
    return found;
  }

  private boolean closes() {
    return reader.peek() == ')'
        || reader.peek() == '`' && inBackticks()
        || reader.ahead(";;")
        || reader.ahead(";&");
  }

  /** The word ahead when it has neither quotes nor expansions, else an empty text. */
  private String upcoming() {
    StringBuilder word = new StringBuilder();
    for (int i = 0; i < 12; i++) {
      int code = reader.peek(i);
      boolean part = code >= 'a' && code <= 'z' || code >= 0 && "{}![]".indexOf(code) >= 0;
      if (!part) {
        boolean ends = code < 0 || " \t\n;&|<>()`".indexOf(code) >= 0;
        return ends && !ShellReader.isValue(code) ? word.toString() : "";
      }
      word.append((char) code);
    }
    return "";
  }

  private boolean takeWord(String word) {
    reader.blanks();
    return upcoming().equals(word) && reader.take(word);
  }

  private void expect(String word) {
    while (true) {
      reader.blanks();
      if (!reader.newline() && !reader.take(";")) {
        break;
      }
    }
    if (!takeWord(word)) {
      throw new NotUnderstood("'" + word + "' is missing");
    }
  }

  private List<ShellCommand> pipeline() {
    List<ShellCommand> commands = new ArrayList<>();
    do {
      reader.blanks();
      while (reader.newline()) {
        reader.blanks();
      }
      while (takeWord("!") || takeWord("time")) {
        reader.blanks();
      }
      commands.add(command());
      reader.blanks();
    } while (!reader.ahead("||") && (reader.take("|&") || reader.take("|")));
    return commands;
  }

  private ShellCommand command() {
    reader.enter();
    ShellCommand command = new ShellCommand();
    boolean compound = compound(command);
    if (!compound) {
      simple(command);
    } else {
      reader.blanks();
      while (redirection(command)) {
        reader.blanks();
      }
    }
    reader.leave();
    return command;
  }

  private boolean compound(ShellCommand command) {
    if (reader.ahead("((") && arithmetic()) {
      return true;
    }
    if (reader.take("(")) {
      command.inside.addAll(list(Set.of()));
      if (!reader.take(")")) {
        throw new NotUnderstood("a '(' is never closed");
      }
      return true;
    }
    String word = upcoming();
    switch (word) {
      case "{" -> block(command, "{", "}");
      case "if" -> conditional(command);
      case "while", "until" -> {
        reader.take(word);
        command.inside.addAll(list(Set.of("do")));
        block(command, "do", "done");
      }
      case "for", "select" -> loop(command, word);
      case "case" -> choice(command);
      case "function" -> {
        reader.take(word);
        reader.blanks();
        String name = String.valueOf(reader.word().text());
        reader.blanks();
        reader.take("()");
        function(command, name);
      }
      case "[[" -> test(command);
      default -> {
        return false;
      }
    }
    return true;
  }

  private boolean arithmetic() {
    return reader.arithmeticCommand() != null;
  }

  private void block(ShellCommand command, String open, String close) {
    expect(open);
    command.inside.addAll(list(Set.of(close)));
    expect(close);
  }

  private void conditional(ShellCommand command) {
    expect("if");
    command.inside.addAll(list(Set.of("then")));
    expect("then");
    command.inside.addAll(list(Set.of("elif", "else", "fi")));
    while (takeWord("elif")) {
      command.inside.addAll(list(Set.of("then")));
      expect("then");
      command.inside.addAll(list(Set.of("elif", "else", "fi")));
    }
    if (takeWord("else")) {
      command.inside.addAll(list(Set.of("fi")));
    }
    expect("fi");
  }

  private void loop(ShellCommand command, String keyword) {
    reader.take(keyword);
    reader.blanks();
    if (!(reader.ahead("((") && arithmetic())) {
      ShellWord variable = reader.word();
      misplacedName(variable);
      ShellWord items = new ShellWord();
      items.literal.append(variable.literal).append('=');
      reader.blanks();
      while (reader.newline()) {
        reader.blanks();
      }
      if (takeWord("in")) {
        for (ShellWord word = next(); word != null; word = next()) {
          items.take(word);
          command.words.add(literal(word));
        }
      } else {
        items.variables.add("@");
      }
      loops.add(items);
    }
    if (loopBody(command)) {
      return;
    }
    block(command, "do", "done");
  }

  /** {@code for ((...)) { ... }}. */
  private boolean loopBody(ShellCommand command) {
    int start = reader.position();
    reader.blanks();
    if (!upcoming().equals("{")) {
      reader.back(start);
      return false;
    }
    block(command, "{", "}");
    return true;
  }

  /** An item of a loop is never a command, so its first word must not be taken for one. */
  private static ShellWord literal(ShellWord word) {
    ShellWord argument = new ShellWord();
    argument.take(word);
    argument.literal.append("for");
    return argument;
  }

  private void misplacedName(ShellWord variable) {
    for (int value : variable.values) {
      reader.misplaced.add(
          new ShellReader.Misplaced(
              value, "a value is the name of a loop's variable", "Write a fixed name."));
    }
  }

  private @Nullable ShellWord next() {
    reader.blanks();
    int code = reader.peek();
    boolean ends =
        reader.atEnd() || code >= 0 && "\n;&|)".indexOf(code) >= 0 || code == '`' && inBackticks();
    return ends ? null : reader.word();
  }

  private void choice(ShellCommand command) {
    expect("case");
    reader.blanks();
    ShellWord subject = reader.word();
    command.words.add(literal(subject));
    expect("in");
    while (true) {
      reader.blanks();
      if (reader.newline() || reader.take(";")) {
        continue;
      }
      if (takeWord("esac")) {
        return;
      }
      patterns(command);
      command.inside.addAll(list(Set.of("esac")));
      if (!reader.take(";;&") && !reader.take(";;")) {
        reader.take(";&");
      }
    }
  }

  private void patterns(ShellCommand command) {
    reader.take("(");
    do {
      reader.blanks();
      command.words.add(literal(reader.word()));
      reader.blanks();
    } while (reader.take("|"));
    if (!reader.take(")")) {
      throw new NotUnderstood("a pattern of case is never closed");
    }
  }

  private void test(ShellCommand command) {
    reader.take("[[");
    List<ShellWord> words = new ArrayList<>();
    while (true) {
      reader.blanks();
      if (takeWord("]]")) {
        break;
      }
      if (reader.atEnd()) {
        throw new NotUnderstood("'[[' is never closed");
      }
      if (!reader.newline() && !testSign(words)) {
        words.add(reader.word());
      }
    }
    words.forEach(word -> command.words.add(literal(word)));
    tests.add(words);
  }

  private boolean testSign(List<ShellWord> words) {
    boolean sign =
        reader.take("&&")
            || reader.take("||")
            || reader.take("(")
            || reader.take(")")
            || reader.take("|")
            || !reader.ahead("<(") && reader.take("<")
            || reader.take(">");
    if (sign) {
      ShellWord word = new ShellWord();
      word.literal.append("&&");
      words.add(word);
    }
    return sign;
  }

  private void function(ShellCommand command, String name) {
    functions.add(name);
    reader.blanks();
    while (reader.newline()) {
      reader.blanks();
    }
    command.inside.add(List.of(command()));
  }

  private void simple(ShellCommand command) {
    while (true) {
      reader.blanks();
      if (redirection(command)) {
        continue;
      }
      ShellWord word = next();
      if (word == null) {
        break;
      }
      if (reader.peek() == '(' && array(word)) {
        add(command, word);
      } else if (command.words.isEmpty() && functionHead(command, word)) {
        return;
      } else {
        add(command, word);
      }
    }
  }

  private static void add(ShellCommand command, ShellWord word) {
    if (command.words.isEmpty() && word.assigned() != null) {
      command.assignments.add(word);
    } else {
      command.words.add(word);
    }
  }

  private boolean functionHead(ShellCommand command, ShellWord word) {
    int start = reader.position();
    reader.blanks();
    if (reader.take("(")) {
      reader.blanks();
      if (reader.take(")")) {
        function(command, String.valueOf(word.text()));
        return true;
      }
      throw new NotUnderstood("unexpected '('");
    }
    reader.back(start);
    return false;
  }

  /** {@code name=(a b c)}. */
  private boolean array(ShellWord word) {
    if (word.declared() == null || !word.literal.toString().endsWith("=")) {
      return false;
    }
    reader.take("(");
    while (true) {
      reader.blanks();
      if (reader.newline()) {
        continue;
      }
      if (reader.take(")")) {
        return true;
      }
      if (reader.atEnd()) {
        throw new NotUnderstood("an array is never closed");
      }
      word.take(reader.word());
    }
  }

  private boolean redirection(ShellCommand command) {
    int digits = 0;
    while (Character.isDigit(Math.max(reader.peek(digits), 0))) {
      digits++;
    }
    if (digits > 0 && (reader.peek(digits) == '<' || reader.peek(digits) == '>')) {
      reader.back(reader.position() + digits);
    }
    if (reader.ahead("<(") || reader.ahead(">(")) {
      return false;
    }
    if (reader.take("<<<")) {
      reader.blanks();
      command.input.take(reader.word());
      return true;
    }
    if (reader.take("<<-")) {
      reader.documents.begin(ShellDocuments.Tabs.STRIPPED, command);
      return true;
    }
    if (reader.take("<<")) {
      reader.documents.begin(ShellDocuments.Tabs.KEPT, command);
      return true;
    }
    for (String sign : List.of("&>>", "&>", ">>", ">&", ">|", "<&", "<>", ">", "<")) {
      if (reader.take(sign)) {
        reader.blanks();
        ShellWord target = reader.word();
        target.literal.setLength(0);
        command.input.take(sign.equals("<") ? target : new ShellWord());
        return true;
      }
    }
    return false;
  }
}
