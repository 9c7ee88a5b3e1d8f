package dev.slipway.server.telemetry;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/** Sets logging up in code: quicker at start than reading a file, and one place to look. */
public final class Logging {
  private Logging() {}

  /** How log lines look. */
  public enum Format {
    JSON,
    /** For people at a terminal. */
    TEXT
  }

  /** All log lines go to standard error in this format. */
  public static void configure(Format format, Level level, Supplier<String> replica) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    Encoder<ILoggingEvent> encoder =
        switch (format) {
          case JSON -> new JsonLines(replica);
          case TEXT -> text(context);
        };
    encoder.setContext(context);
    encoder.start();
    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    console.setContext(context);
    console.setTarget("System.err");
    console.setEncoder(encoder);
    console.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    root.addAppender(console);
    context.getLogger("dev.slipway").setLevel(level);
  }

  private static PatternLayoutEncoder text(LoggerContext context) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%d{HH:mm:ss.SSS} %-5level %msg%n%ex{short}");
    return encoder;
  }
}
