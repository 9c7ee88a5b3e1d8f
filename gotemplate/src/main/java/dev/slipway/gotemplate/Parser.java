package dev.slipway.gotemplate;

import dev.slipway.gotemplate.Execution.Definition;
import dev.slipway.gotemplate.Expression.Pipeline;
import dev.slipway.gotemplate.Source.Place;
import dev.slipway.gotemplate.Statement.Block;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads control structures and definitions; {@link PipelineParser} reads what is inside actions.
 */
final class Parser {
  /** Deeper nesting would only exhaust the stack. */
  private static final int DEEPEST = 400;

  private final TokenStream tokens;
  private final Map<String, Definition> definitions = new LinkedHashMap<>();
  private final PipelineParser pipelines;
  private Scope scope = Scope.main();
  private int nesting;

  /** What ended the list of statements that was read last; null as long as none has ended. */
  private @Nullable Token ending;

  private Parser(Source source, Settings settings) {
    this.tokens = new TokenStream(source, settings);
    this.pipelines = new PipelineParser(tokens, settings.functions());
  }

  /**
   * A parsed text.
   *
   * @param definitions all templates by name, the main one included
   * @param references the field chains that they mention
   * @param changing whether they call functions that change dicts
   */
  record Parsed(
      Map<String, Definition> definitions, List<Reference> references, boolean changing) {}

  static Parsed parse(String name, Source source, Settings settings) {
    Parser parser = new Parser(source, settings);
    try {
      parser.main(name);
    } catch (StackOverflowError e) {
      throw parser.tokens.error("nested too deeply");
    }
    return new Parsed(
        parser.definitions,
        List.copyOf(parser.pipelines.references()),
        parser.pipelines.changing());
  }

  private void main(String name) {
    List<Statement> statements = new ArrayList<>();
    while (tokens.peek().kind() != TokenKind.EOF) {
      if (tokens.peek().kind() == TokenKind.LEFT_DELIMITER
          && tokens.afterSpace(1).kind() == TokenKind.DEFINE) {
        tokens.next();
        tokens.nextWord();
        define();
        continue;
      }
      Statement statement = statement();
      if (statement == null) {
        throw tokens.error("unexpected {{" + ending().text() + "}}");
      }
      statements.add(statement);
    }
    add(name, block(statements), scope);
  }

  private void define() {
    String name = templateName("define clause");
    tokens.expect(TokenKind.RIGHT_DELIMITER, "define clause");
    definition(name, "define clause");
  }

  private void definition(String name, String context) {
    Scope outer = scope;
    scope = Scope.definition();
    Block body = list();
    if (ending().kind() != TokenKind.END) {
      throw tokens.error("unexpected {{" + ending().text() + "}} in " + context);
    }
    add(name, body, scope);
    scope = outer;
  }

  private void add(String name, Block body, Scope of) {
    Definition before = definitions.get(name);
    boolean empty = empty(body);
    if (before != null && !empty(before.body())) {
      if (!empty) {
        throw tokens.error("template: multiple definition of template " + Quoted.quote(name));
      }
      return;
    }
    definitions.put(name, new Definition(name, body, of.variables()));
  }

  private static boolean empty(Block body) {
    for (Statement statement : body.statements()) {
      if (!(statement instanceof Statement.Literal literal) || !literal.text().isBlank()) {
        return false;
      }
    }
    return true;
  }

  private static Block block(List<Statement> statements) {
    return statements.isEmpty() ? Block.EMPTY : new Block(statements.toArray(Statement[]::new));
  }

  /** Statements up to {@code {{end}}} or {@code {{else}}}, which is remembered as the ending. */
  private Block list() {
    if (++nesting > DEEPEST) {
      throw tokens.error("nested more than " + DEEPEST + " deep");
    }
    List<Statement> statements = new ArrayList<>();
    while (tokens.peekWord().kind() != TokenKind.EOF) {
      Statement statement = statement();
      if (statement == null) {
        nesting--;
        return block(statements);
      }
      statements.add(statement);
    }
    throw tokens.error("unexpected EOF");
  }

  private Token ending() {
    return Objects.requireNonNull(ending, "statement() gives null only after setting the ending");
  }

  /** One statement, or null after {@code {{end}}} and {@code {{else}}}. */
  private @Nullable Statement statement() {
    Token token = tokens.nextWord();
    if (token.kind() == TokenKind.TEXT) {
      return new Statement.Literal(token.text());
    }
    if (token.kind() != TokenKind.LEFT_DELIMITER) {
      throw tokens.unexpected(token, "input");
    }
    tokens.startAction(token);
    Statement statement = action();
    tokens.endAction();
    return statement;
  }

  private @Nullable Statement action() {
    Token token = tokens.nextWord();
    return switch (token.kind()) {
      case BLOCK -> blockAction(token);
      case BREAK -> jump(token, Statement.Flow.BREAK);
      case CONTINUE -> jump(token, Statement.Flow.CONTINUE);
      case IF, WITH, RANGE -> control(token);
      case TEMPLATE -> templateCall(token);
      case ELSE -> {
        ending = token;
        TokenKind next = tokens.peekWord().kind();
        if (next != TokenKind.IF && next != TokenKind.WITH) {
          tokens.expect(TokenKind.RIGHT_DELIMITER, "else");
        }
        yield null;
      }
      case END -> {
        ending = token;
        tokens.expect(TokenKind.RIGHT_DELIMITER, "end");
        yield null;
      }
      default -> {
        tokens.back();
        Expression pipeline = pipelines.pipeline(scope, "command", TokenKind.RIGHT_DELIMITER);
        Place place = pipeline.place();
        yield pipeline instanceof Pipeline p && p.slots().length > 0
            ? new Statement.Assignment(place, pipeline)
            : new Statement.Emission(place, pipeline);
      }
    };
  }

  private Statement jump(Token token, Statement.Flow flow) {
    Token next = tokens.nextWord();
    if (next.kind() != TokenKind.RIGHT_DELIMITER) {
      throw tokens.unexpected(next, "{{" + token.text() + "}}");
    }
    if (!scope.inRange()) {
      throw tokens.error("{{" + token.text() + "}} outside {{range}}");
    }
    return new Statement.Jump(flow);
  }

  private Statement control(Token keyword) {
    String context = keyword.text();
    boolean range = keyword.kind() == TokenKind.RANGE;
    Scope.Mark outside = scope.mark();
    Expression pipeline = pipelines.pipeline(scope, context, TokenKind.RIGHT_DELIMITER);
    Scope.Mark afterPipeline = scope.mark();
    scope.enter(keyword.kind());
    Block then = list();
    scope.leave(keyword.kind());
    scope.hide(afterPipeline);
    Block otherwise = ending().kind() == TokenKind.END ? Block.EMPTY : otherwise(keyword.kind());
    scope.reset(outside);
    Place place = pipeline.place();
    if (range) {
      return range(place, pipeline, then, otherwise);
    }
    return keyword.kind() == TokenKind.IF
        ? new Statement.If(place, pipeline, then, otherwise)
        : new Statement.With(place, pipeline, then, otherwise);
  }

  private static Statement range(Place place, Expression over, Block body, Block otherwise) {
    int[] slots = over instanceof Pipeline pipeline ? pipeline.slots() : new int[0];
    int element = slots.length == 0 ? -1 : slots[slots.length - 1];
    int index = slots.length < 2 ? -1 : slots[0];
    return new Statement.Range(place, over, index, element, body, otherwise);
  }

  /** After else; {@code {{else if}}} shares the end of the outer structure. */
  private Block otherwise(TokenKind of) {
    Token next = tokens.peek();
    if (of != TokenKind.RANGE && next.kind() == of) {
      tokens.next();
      if (++nesting > DEEPEST) {
        throw tokens.error("nested more than " + DEEPEST + " deep");
      }
      Block inner = new Block(new Statement[] {control(next)});
      nesting--;
      return inner;
    }
    Block block = list();
    if (ending().kind() != TokenKind.END) {
      throw tokens.error("expected end; found {{" + ending().text() + "}}");
    }
    return block;
  }

  private Statement templateCall(Token keyword) {
    String name = templateName("template clause");
    Expression data = null;
    Place place = tokens.since(keyword);
    if (tokens.nextWord().kind() != TokenKind.RIGHT_DELIMITER) {
      tokens.back();
      data = pipelines.pipeline(scope, "template clause", TokenKind.RIGHT_DELIMITER);
      place = place.to(data.place());
    }
    return new Statement.TemplateCall(place, name, data);
  }

  private Statement blockAction(Token keyword) {
    String name = templateName("block clause");
    Expression data = pipelines.pipeline(scope, "block clause", TokenKind.RIGHT_DELIMITER);
    definition(name, "block clause");
    return new Statement.TemplateCall(tokens.place(keyword).to(data.place()), name, data);
  }

  private String templateName(String context) {
    Token token = tokens.nextWord();
    if (token.kind() != TokenKind.STRING && token.kind() != TokenKind.RAW_STRING) {
      throw tokens.unexpected(token, context);
    }
    return tokens.unquoted(token);
  }
}
