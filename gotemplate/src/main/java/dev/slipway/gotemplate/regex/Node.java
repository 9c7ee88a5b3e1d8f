package dev.slipway.gotemplate.regex;

import java.util.List;

/** A parsed pattern. */
sealed interface Node {
  /** How many levels of nodes this one has. */
  int height();

  /** About how many instructions it takes. */
  long size();

  /** Whether it can match the empty text. */
  boolean nullable();

  record Empty() implements Node {
    @Override
    public int height() {
      return 1;
    }

    @Override
    public long size() {
      return 1;
    }

    @Override
    public boolean nullable() {
      return true;
    }
  }

  /** One character out of a set. */
  record One(CharSet set) implements Node {
    @Override
    public int height() {
      return 1;
    }

    @Override
    public long size() {
      return 1;
    }

    @Override
    public boolean nullable() {
      return false;
    }
  }

  /** A condition on the place in the text. */
  record Assertion(Place place) implements Node {
    @Override
    public int height() {
      return 1;
    }

    @Override
    public long size() {
      return 1;
    }

    @Override
    public boolean nullable() {
      return true;
    }
  }

  /** A numbered group. */
  record Group(int number, Node body, int height, long size, boolean nullable) implements Node {
    Group(int number, Node body) {
      this(number, body, 1 + body.height(), 2 + body.size(), body.nullable());
    }
  }

  /** Which of two ways a repetition prefers. */
  enum Greed {
    MORE,
    LESS
  }

  /** Between {@code least} and {@code most} times; {@code most} is -1 when there is no bound. */
  record Repeat(
      Node body, int least, int most, Greed greed, int height, long size, boolean nullable)
      implements Node {
    Repeat(Node body, int least, int most, Greed greed) {
      this(
          body,
          least,
          most,
          greed,
          1 + body.height(),
          most < 0
              ? 2 + Math.max(least, 1) * body.size()
              : Math.max(1, most * body.size() + most - least),
          least == 0 || body.nullable());
    }
  }

  record Sequence(List<Node> parts, int height, long size, boolean nullable) implements Node {
    Sequence(List<Node> parts) {
      this(
          List.copyOf(parts),
          1 + parts.stream().mapToInt(Node::height).max().orElse(0),
          parts.stream().mapToLong(Node::size).sum(),
          parts.stream().allMatch(Node::nullable));
    }

    static Node of(List<Node> parts) {
      return switch (parts.size()) {
        case 0 -> new Empty();
        case 1 -> parts.getFirst();
        default -> new Sequence(parts);
      };
    }
  }

  record Choice(List<Node> options, int height, long size, boolean nullable) implements Node {
    Choice(List<Node> options) {
      this(
          List.copyOf(options),
          1 + options.stream().mapToInt(Node::height).max().orElse(0),
          options.stream().mapToLong(Node::size).sum() + options.size() - 1,
          options.stream().anyMatch(Node::nullable));
    }

    static Node of(List<Node> options) {
      return options.size() == 1 ? options.getFirst() : new Choice(options);
    }
  }
}
