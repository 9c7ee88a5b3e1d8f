package dev.slipway.gotemplate.sprig;

/**
 * Joins the words of a text, found by capitals, digits and separators, in lower case with one
 * character between: HTTPServer as http_server, Bld4Floor3rd as bld4_floor_3rd.
 */
final class WordCase {
  private enum Sort {
    NONE,
    NUMBER,
    CAPITAL,
    LETTERS,
    CONNECTOR,
    PUNCTUATION,
    OTHER
  }

  private final char connector;
  private final StringBuilder out = new StringBuilder();
  private int[] text = {};
  private int start;
  private int end;
  private Sort sort = Sort.NONE;

  WordCase(char connector) {
    this.connector = connector;
  }

  String of(String words) {
    text = Runes.of(words);
    next();
    while (end < text.length) {
      if (sort != Sort.CONNECTOR) {
        write(sort, start, end);
      }
      Sort previous = sort;
      int previousStart = start;
      next();
      switch (previous) {
        case NUMBER -> afterNumber();
        case CONNECTOR -> write(previous, previousStart, start);
        case PUNCTUATION -> {}
        case NONE, CAPITAL, LETTERS, OTHER -> afterWord();
      }
    }
    write(sort, start, end);
    return out.toString();
  }

  private void afterNumber() {
    writeLettersAndNumbers();
    connectUnlessAtEnd();
  }

  private void afterWord() {
    if (sort != Sort.NUMBER) {
      connect();
      return;
    }
    if (end == text.length) {
      return;
    }
    int numberStart = start;
    int numberEnd = end;
    next();
    if (sort != Sort.LETTERS) {
      // The number belongs to the word before it.
      write(Sort.NUMBER, numberStart, numberEnd);
      connect();
      return;
    }
    out.append(connector);
    write(Sort.NUMBER, numberStart, numberEnd);
    writeLettersAndNumbers();
    connectUnlessAtEnd();
  }

  private void connectUnlessAtEnd() {
    if (sort != Sort.NONE) {
      connect();
    }
  }

  /** Writes the connector unless the next word brings its own. */
  private void connect() {
    if (sort != Sort.CONNECTOR && sort != Sort.PUNCTUATION) {
      out.append(connector);
    }
  }

  private void writeLettersAndNumbers() {
    while (sort == Sort.LETTERS || sort == Sort.NUMBER) {
      write(sort, start, end);
      next();
    }
  }

  private void write(Sort wordSort, int from, int to) {
    for (int i = from; i < to; i++) {
      int c = text[i];
      if (wordSort == Sort.CONNECTOR && LetterCase.isConnector(c)) {
        out.append(connector);
      } else if (wordSort == Sort.CAPITAL && Runes.isUpper(c)) {
        out.appendCodePoint(Character.toLowerCase(c));
      } else {
        out.appendCodePoint(c);
      }
    }
  }

  private void next() {
    start = end;
    if (start == text.length) {
      sort = Sort.NONE;
      return;
    }
    sort = sortOf(text[start]);
    end = start + 1;
    switch (sort) {
      case CAPITAL -> capital();
      case LETTERS -> smallLetters();
      case NUMBER, CONNECTOR, OTHER -> {
        while (end < text.length && sortOf(text[end]) == sort) {
          end++;
        }
      }
      case PUNCTUATION -> {
        // A hyphen or underscore behind other punctuation is no connector.
        while (end < text.length && Runes.isPunctuation(text[end])) {
          end++;
        }
      }
      case NONE -> {}
    }
  }

  private void capital() {
    if (end < text.length && Runes.isUpper(text[end])) {
      while (end < text.length && Runes.isUpper(text[end])) {
        end++;
      }
      // In HTTPStatus the S begins the next word.
      if (end < text.length && isLetter(text[end])) {
        end--;
      }
    } else {
      smallLetters();
    }
  }

  private void smallLetters() {
    while (end < text.length && isLetter(text[end]) && !Runes.isUpper(text[end])) {
      end++;
    }
  }

  private static Sort sortOf(int c) {
    if (LetterCase.isConnector(c)) {
      return Sort.CONNECTOR;
    }
    if (Runes.isPunctuation(c)) {
      return Sort.PUNCTUATION;
    }
    if (Runes.isUpper(c)) {
      return Sort.CAPITAL;
    }
    return isLetter(c) ? Sort.LETTERS : Runes.isNumber(c) ? Sort.NUMBER : Sort.OTHER;
  }

  /** Chinese characters count as no letters: they do not form words by case. */
  private static boolean isLetter(int c) {
    boolean chinese =
        c >= 0x4E00 && c <= 0x9FCC || c >= 0x3400 && c <= 0x4D85 || c >= 0x20000 && c <= 0x2B81D;
    return Character.isLetter(c) && !chinese;
  }
}
