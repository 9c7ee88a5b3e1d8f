package dev.slipway.gotemplate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Run with -Dupdate to write the generated parts anew. */
class ReadmeTest {
  private static final Path README = Path.of(System.getProperty("basedir", "."), "README.md");

  @Test
  void the_generated_parts_are_up_to_date() throws IOException {
    String text = Files.readString(README);
    String fresh = GeneratedReadme.filledIn(text);
    if (System.getProperty("update") != null) {
      Files.writeString(README, fresh);
      return;
    }
    assertThat(text)
        .as("README.md; write it anew with -Dtest=ReadmeTest -Dupdate")
        .isEqualTo(fresh);
  }

  @Test
  void the_example_compiles_and_prints_what_it_says(@TempDir Path folder) throws Exception {
    String readme = Files.readString(README);
    Path source = Files.writeString(folder.resolve("Example.java"), block(readme, "java"));
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", folder.toString(), "-cp", classPath(), source.toString());
    assertThat(status).isZero();
    assertThat(printed(folder)).isEqualTo(block(readme, "text"));
  }

  private static String block(String readme, String language) {
    String start = "```" + language + "\n";
    int from = readme.indexOf(start) + start.length();
    return readme.substring(from, readme.indexOf("```", from));
  }

  private static String classPath() {
    return Path.of(Template.class.getProtectionDomain().getCodeSource().getLocation().getPath())
        .toString();
  }

  private static String printed(Path folder) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream before = System.out;
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      Method main = loader.loadClass("Example").getDeclaredMethod("main", String[].class);
      main.setAccessible(true);
      System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
      main.invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
