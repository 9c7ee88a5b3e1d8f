package dev.slipway.cli.cases;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Results in the XML that build servers read: a suite a file, a testcase a case. */
public record JUnitReport(String provider, Instant began, List<CaseResult> results) {
  /** Writes it, directories on the way too. */
  public void write(Path file) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.writeString(file, text());
  }

  String text() {
    StringWriter text = new StringWriter();
    try {
      XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text);
      xml.writeStartDocument("UTF-8", "1.0");
      xml.writeStartElement("testsuites");
      attribute(xml, "name", provider);
      counts(xml, results);
      for (var suite : suites().entrySet()) {
        suite(xml, suite.getKey(), suite.getValue());
      }
      xml.writeEndElement();
      xml.writeEndDocument();
      xml.close();
    } catch (XMLStreamException e) {
      throw new IllegalStateException(e);
    }
    return text + "\n";
  }

  private Map<String, List<CaseResult>> suites() {
    return results.stream()
        .collect(Collectors.groupingBy(CaseResult::file, LinkedHashMap::new, Collectors.toList()));
  }

  private void suite(XMLStreamWriter xml, String file, List<CaseResult> cases)
      throws XMLStreamException {
    xml.writeStartElement("testsuite");
    attribute(xml, "name", provider + "/" + file);
    counts(xml, cases);
    attribute(xml, "timestamp", began.truncatedTo(ChronoUnit.SECONDS).toString().replace("Z", ""));
    attribute(xml, "hostname", "localhost");
    for (CaseResult one : cases) {
      testCase(xml, one);
    }
    xml.writeEndElement();
  }

  private void testCase(XMLStreamWriter xml, CaseResult one) throws XMLStreamException {
    xml.writeStartElement("testcase");
    attribute(xml, "name", one.testCase().name());
    attribute(xml, "classname", provider + "." + one.file().replaceAll("\\.ya?ml$", ""));
    attribute(xml, "time", seconds(one.duration()));
    if (!one.failures().isEmpty()) {
      CaseResult.Failure first = one.failures().getFirst();
      problem(xml, "failure", first.title(), "difference", one.lines());
    } else if (!one.error().isEmpty()) {
      problem(xml, "error", one.error().lines().findFirst().orElse(""), "error", one.lines());
    }
    if (!one.log().isEmpty()) {
      xml.writeStartElement("system-out");
      xml.writeCharacters(clean(String.join("\n", one.log())));
      xml.writeEndElement();
    }
    xml.writeEndElement();
  }

  private static void problem(
      XMLStreamWriter xml, String element, String message, String type, List<String> lines)
      throws XMLStreamException {
    xml.writeStartElement(element);
    attribute(xml, "message", message);
    attribute(xml, "type", type);
    xml.writeCharacters(clean(String.join("\n", lines)));
    xml.writeEndElement();
  }

  private static void counts(XMLStreamWriter xml, List<CaseResult> cases)
      throws XMLStreamException {
    long failures = cases.stream().filter(c -> !c.failures().isEmpty()).count();
    long errors = cases.stream().filter(c -> c.failures().isEmpty() && !c.passed()).count();
    attribute(xml, "tests", String.valueOf(cases.size()));
    attribute(xml, "failures", String.valueOf(failures));
    attribute(xml, "errors", String.valueOf(errors));
    attribute(xml, "skipped", "0");
    Duration all = cases.stream().map(CaseResult::duration).reduce(Duration.ZERO, Duration::plus);
    attribute(xml, "time", seconds(all));
  }

  private static void attribute(XMLStreamWriter xml, String name, String value)
      throws XMLStreamException {
    xml.writeAttribute(name, clean(value));
  }

  private static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.3f", duration.toMillis() / 1000.0);
  }

  /** Programs write characters that XML cannot hold. */
  private static String clean(String text) {
    return text.codePoints()
        .map(
            c ->
                c == '\t'
                        || c == '\n'
                        || c == '\r'
                        || c >= 0x20 && c <= 0xD7FF
                        || c >= 0xE000 && c <= 0xFFFD
                        || c >= 0x10000
                    ? c
                    : 0xFFFD)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
