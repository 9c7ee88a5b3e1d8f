package dev.slipway.steps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links between the pages of the project lead to files and headings that exist. */
class DocumentationLinksTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");
  private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");

  @Test
  void every_link_between_pages_leads_to_a_file_and_a_heading() throws IOException {
    List<Path> pages = pages();
    assertThat(pages).contains(ROOT.resolve("README.md"), ROOT.resolve("docs/README.md"));
    List<String> broken = new ArrayList<>();
    for (Path page : pages) {
      LINK.matcher(text(page))
          .results()
          .map(link -> link.group(1))
          .filter(link -> !ELSEWHERE.matcher(link).matches())
          .filter(link -> !leads(page, link))
          .forEach(link -> broken.add(ROOT.relativize(page) + ": " + link));
    }
    assertThat(broken).isEmpty();
  }

  private static boolean leads(Path page, String link) {
    String[] parts = link.split("#", 2);
    Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
    if (!Files.exists(target)) {
      return false;
    }
    return parts.length == 1
        || !target.toString().endsWith(".md")
        || headings(target).contains(parts[1]);
  }

  /** As GitHub names them. */
  private static Set<String> headings(Path page) {
    return HEADING
        .matcher(text(page))
        .results()
        .map(heading -> heading.group(1).strip().toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  /** Without code, in which brackets and number signs mean something else. */
  private static String text(Path page) {
    try {
      return CODE.matcher(Files.readString(page)).replaceAll("");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (Path root : directories()) {
      try (Stream<Path> files = Files.walk(root)) {
        files
            .filter(file -> file.toString().endsWith(".md"))
            .filter(file -> !file.startsWith(root.resolve("target")))
            .forEach(pages::add);
      }
    }
    try (Stream<Path> files = Files.list(ROOT)) {
      files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
    }
    return pages;
  }

  private static List<Path> directories() {
    return Stream.of("docs", "bench", "deploy", "examples", "gotemplate", "schemas", "testbed")
        .map(ROOT::resolve)
        .filter(Files::isDirectory)
        .toList();
  }
}
