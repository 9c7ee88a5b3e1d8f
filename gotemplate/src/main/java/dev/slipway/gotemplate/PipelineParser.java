package dev.slipway.gotemplate;

import dev.slipway.gotemplate.Expression.Chain;
import dev.slipway.gotemplate.Expression.Constant;
import dev.slipway.gotemplate.Expression.Dot;
import dev.slipway.gotemplate.Expression.Failing;
import dev.slipway.gotemplate.Expression.FunctionName;
import dev.slipway.gotemplate.Expression.Invocation;
import dev.slipway.gotemplate.Expression.Logic;
import dev.slipway.gotemplate.Expression.Nil;
import dev.slipway.gotemplate.Expression.Numeral;
import dev.slipway.gotemplate.Expression.Pipeline;
import dev.slipway.gotemplate.Expression.Variable;
import dev.slipway.gotemplate.Source.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads pipelines: what stands inside an action. */
final class PipelineParser {
  private static final int DEEPEST = 400;
  private static final Expression[] NONE = {};

  private final TokenStream tokens;
  private final Functions functions;
  private final List<Reference> references = new ArrayList<>();
  private boolean changing;
  private int nesting;

  PipelineParser(TokenStream tokens, Functions functions) {
    this.tokens = tokens;
    this.functions = functions;
  }

  /** Whether a function is called that changes dicts. */
  boolean changing() {
    return changing;
  }

  List<Reference> references() {
    return references;
  }

  Expression pipeline(Scope scope, String context, TokenKind end) {
    Token first = tokens.peekWord();
    List<Token> variables = new ArrayList<>();
    TokenKind binding = binding(scope, context, variables);
    List<Expression> commands = commands(scope, context, end);
    Place place = tokens.place(first).to(commands.getLast().place());
    return assembled(scope, place, commands, variables, binding);
  }

  private List<Expression> commands(Scope scope, String context, TokenKind end) {
    List<Expression> commands = new ArrayList<>();
    int notExecutable = 0;
    for (Token token = tokens.nextWord(); token.kind() != end; token = tokens.nextWord()) {
      if (!startsOperand(token.kind())) {
        throw tokens.unexpected(token, context);
      }
      tokens.back();
      commands.add(command(scope));
      if (commands.size() > 1 && notExecutable == 0 && isLiteral(token.kind())) {
        notExecutable = commands.size();
      }
    }
    if (commands.isEmpty()) {
      throw tokens.error("missing value for " + context);
    }
    if (notExecutable > 0) {
      throw tokens.error("non executable command in pipeline stage " + notExecutable);
    }
    return commands;
  }

  private static boolean startsOperand(TokenKind kind) {
    return switch (kind) {
      case BOOL,
          CHARACTER,
          IMAGINARY,
          DOT,
          FIELD,
          IDENTIFIER,
          NUMBER,
          NIL,
          RAW_STRING,
          STRING,
          VARIABLE,
          LEFT_PAREN ->
          true;
      default -> false;
    };
  }

  /** Reads {@code $x :=}, {@code $x =} or, for range, {@code $i, $x :=}; leaves anything else. */
  private TokenKind binding(Scope scope, String context, List<Token> variables) {
    while (tokens.peekWord().kind() == TokenKind.VARIABLE) {
      int before = tokens.mark();
      Token variable = tokens.nextWord();
      Token next = tokens.peekWord();
      if (next.kind() == TokenKind.ASSIGN || next.kind() == TokenKind.DECLARE) {
        tokens.nextWord();
        variables.add(variable);
        scope.know(variable.text());
        return next.kind();
      }
      if (next.kind() != TokenKind.OTHER || !next.text().equals(",")) {
        tokens.reset(before);
        break;
      }
      tokens.nextWord();
      variables.add(variable);
      scope.know(variable.text());
      checkSecond(context, variables.size());
    }
    return TokenKind.DECLARE;
  }

  private void checkSecond(String context, int count) {
    if (!context.equals("range") || count > 1) {
      throw tokens.error("too many declarations in " + context);
    }
    TokenKind kind = tokens.peekWord().kind();
    if (kind != TokenKind.VARIABLE
        && kind != TokenKind.RIGHT_DELIMITER
        && kind != TokenKind.RIGHT_PAREN) {
      throw tokens.error("range can only initialize variables");
    }
  }

  private static Expression assembled(
      Scope scope,
      Place place,
      List<Expression> commands,
      List<Token> variables,
      TokenKind binding) {
    Expression only = commands.getFirst();
    if (variables.isEmpty() && commands.size() == 1) {
      return only;
    }
    int[] slots = new int[variables.size()];
    String[] names = new String[variables.size()];
    for (int i = 0; i < slots.length; i++) {
      names[i] = variables.get(i).text();
      slots[i] = binding == TokenKind.DECLARE ? scope.declare(names[i]) : scope.slot(names[i]);
    }
    return new Pipeline(place, commands.toArray(NONE), slots, names);
  }

  private static boolean isLiteral(TokenKind kind) {
    return switch (kind) {
      case BOOL, CHARACTER, IMAGINARY, DOT, NUMBER, NIL, RAW_STRING, STRING -> true;
      default -> false;
    };
  }

  /** Operands up to a pipe, which is consumed, or the end of the pipeline, which is not. */
  private Expression command(Scope scope) {
    List<Expression> operands = new ArrayList<>();
    Token after;
    do {
      Expression operand = operand(scope);
      if (operand != null) {
        operands.add(operand);
      }
      after = tokens.next();
    } while (after.kind() == TokenKind.SPACE);
    if (after.kind() == TokenKind.RIGHT_DELIMITER || after.kind() == TokenKind.RIGHT_PAREN) {
      tokens.back();
    } else if (after.kind() != TokenKind.PIPE) {
      throw tokens.unexpected(after, "operand");
    }
    if (operands.isEmpty()) {
      throw tokens.error("empty command");
    }
    return command(operands);
  }

  private static Expression command(List<Expression> operands) {
    Expression head = operands.getFirst();
    Place place = head.place().to(operands.getLast().place());
    Expression[] arguments =
        operands.stream().skip(1).map(PipelineParser::argument).toArray(Expression[]::new);
    return switch (head) {
      case FunctionName name -> invocation(place, name.function(), arguments);
      case Chain chain -> new Chain(place, chain.receiver(), chain.names(), arguments);
      case Nil _ when arguments.length == 0 -> new Failing(place, "nil is not a command");
      default ->
          arguments.length == 0
              ? head
              : new Failing(place, "can't give argument to non-function " + head.place().excerpt());
    };
  }

  private static Expression invocation(Place place, Function function, Expression[] arguments) {
    if (function == Builtins.AND || function == Builtins.OR) {
      return new Logic(place, function, function == Builtins.OR, arguments);
    }
    Expression[] prepared = arguments.clone();
    int most =
        function.signature().variadic()
            ? Integer.MAX_VALUE
            : function.signature().parameters().size();
    for (int i = 0; i < Math.min(prepared.length, most); i++) {
      prepared[i] = Arguments.prepared(arguments[i], Arguments.type(function, i));
    }
    return new Invocation(place, function, prepared);
  }

  /** An operand as argument: a function's name becomes a call, and parentheses are dropped. */
  private static Expression argument(Expression operand) {
    return switch (operand) {
      case FunctionName name -> invocation(name.place(), name.function(), NONE);
      case Pipeline pipeline when pipeline.commands().length == 1 && pipeline.slots().length == 0 ->
          pipeline.commands()[0];
      default -> operand;
    };
  }

  /** A term and the fields that follow it; null if there is no term. */
  private @Nullable Expression operand(Scope scope) {
    Token first = tokens.peekWord();
    Expression term = term(scope);
    if (term == null || tokens.peek().kind() != TokenKind.FIELD) {
      return term;
    }
    if (isLiteral(first.kind())) {
      throw tokens.error("unexpected . after term " + Quoted.quote(first.text()));
    }
    List<String> names = new ArrayList<>();
    Place place = term.place();
    while (tokens.peek().kind() == TokenKind.FIELD) {
      Token field = tokens.next();
      names.add(field.text().substring(1));
      place = place.to(tokens.place(field));
    }
    if (term instanceof Chain chain && first.kind() == TokenKind.FIELD) {
      names.addFirst(chain.names()[0]);
      return chain(scope, place, chain.receiver(), names, scope.dot());
    }
    return chain(scope, place, argument(term, first.kind()), names, root(scope, first));
  }

  private static Reference.Root root(Scope scope, Token first) {
    return first.text().equals("$") ? scope.dollar() : Reference.Root.COMPUTED;
  }

  private static Expression argument(Expression term, TokenKind kind) {
    return kind == TokenKind.IDENTIFIER ? argument(term) : term;
  }

  private Chain chain(
      Scope scope, Place place, Expression receiver, List<String> names, Reference.Root root) {
    references.add(new Reference(root, names, place.position()));
    return new Chain(place, receiver, names.toArray(String[]::new), NONE);
  }

  private @Nullable Expression term(Scope scope) {
    Token token = tokens.nextWord();
    Place place = tokens.place(token);
    return switch (token.kind()) {
      case IDENTIFIER -> new FunctionName(place, function(token.text()));
      case DOT -> new Dot(place);
      case NIL -> new Nil(place);
      case VARIABLE -> variable(scope, place, token.text());
      case FIELD -> field(scope, token, place);
      case BOOL -> new Constant(place, token.text().equals("true"));
      case NUMBER, CHARACTER, IMAGINARY -> number(token, place);
      case STRING, RAW_STRING -> new Constant(place, tokens.unquoted(token));
      case LEFT_PAREN -> parenthesized(scope, token);
      default -> {
        tokens.back();
        yield null;
      }
    };
  }

  /** A lone field; one that starts a longer chain is referenced as the whole chain. */
  private Expression field(Scope scope, Token token, Place place) {
    List<String> names = List.of(token.text().substring(1));
    return tokens.peek().kind() == TokenKind.FIELD
        ? new Chain(place, new Dot(place), names.toArray(String[]::new), NONE)
        : chain(scope, place, new Dot(place), names, scope.dot());
  }

  private Expression parenthesized(Scope scope, Token open) {
    if (++nesting > DEEPEST) {
      throw tokens.error("parentheses nested more than " + DEEPEST + " deep");
    }
    Expression inner = pipeline(scope, "parenthesized pipeline", TokenKind.RIGHT_PAREN);
    nesting--;
    return new Pipeline(tokens.since(open), new Expression[] {inner}, new int[0], new String[0]);
  }

  private Expression variable(Scope scope, Place place, String name) {
    if (!scope.knows(name)) {
      throw tokens.error(
          "undefined variable " + Quoted.quote(name), Suggestion.of(name, scope.names()));
    }
    int slot = scope.slot(name);
    return slot < 0 ? new Failing(place, "undefined variable: " + name) : new Variable(place, slot);
  }

  private Expression number(Token token, Place place) {
    try {
      return new Numeral(
          place,
          switch (token.kind()) {
            case CHARACTER -> character(token.text());
            case IMAGINARY ->
                throw new IllegalArgumentException(
                    "imaginary numbers are not supported: " + token.text());
            default -> NumberLiteral.of(token.text());
          });
    } catch (IllegalArgumentException e) {
      throw tokens.error(String.valueOf(e.getMessage()));
    }
  }

  private static NumberLiteral character(String text) {
    int point = Quoted.unquoteCharacter(text);
    if (point < 0) {
      throw new IllegalArgumentException("malformed character constant: " + text);
    }
    return NumberLiteral.ofCharacter(text, point);
  }

  /** The caller's functions and exclusions take precedence over the built-in functions. */
  private Function function(String name) {
    Optional<String> refusal = functions.exclusion(name);
    if (refusal.isPresent()) {
      throw tokens.error("function " + Quoted.quote(name) + " is not available: " + refusal.get());
    }
    Function function =
        functions.find(name).or(() -> Builtins.ALL.find(name)).orElseThrow(() -> unknown(name));
    changing |= function.body() instanceof Function.Changing;
    return function;
  }

  private TemplateException unknown(String name) {
    List<String> known = Builtins.ALL.plus(functions).all().stream().map(Function::name).toList();
    return tokens.error(
        "function " + Quoted.quote(name) + " not defined", Suggestion.of(name, known));
  }
}
