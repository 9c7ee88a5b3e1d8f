package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.web.Answer;
import dev.slipway.web.Handler;
import dev.slipway.web.Route;
import dev.slipway.web.Route.Access;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeclaredRoutesTest {
  @TempDir Path classes;

  @Test
  void a_route_that_declares_no_permission_does_not_compile() {
    assertThat(errors("Route.get(\"/api/x\").needs(Action.READ).by(c -> Answer.nothing())"))
        .isEmpty();
    assertThat(errors("Route.get(\"/api/x\").by(c -> Answer.nothing())"))
        .singleElement()
        .asString()
        .contains("by(");
  }

  @Test
  void a_route_made_without_a_permission_stops_the_start() {
    Handler handler = call -> Answer.nothing();
    Constructor<?> constructor = Route.class.getDeclaredConstructors()[0];
    Object[] parts = {
      Route.Method.GET,
      "/api/x",
      null,
      "x",
      "",
      List.of(),
      Route.Content.NONE,
      "",
      Map.of(),
      Set.of(),
      Route.Lane.CHANGES,
      handler
    };
    assertThatThrownBy(() -> constructor.newInstance(parts))
        .isInstanceOf(InvocationTargetException.class)
        .hasRootCauseMessage("the route GET /api/x declares no permission");
  }

  @Test
  void what_is_served_without_a_role_is_listed_here_by_name() {
    try (Running running = new Running()) {
      assertThat(operations(running, Access.Open.class))
          .containsExactlyInAnyOrder("health", "ready", "metrics", "openapi", "login", "schema");
      assertThat(operations(running, Access.SignedIn.class))
          .containsExactlyInAnyOrder(
              "logout",
              "whoami",
              "listKinds",
              "assessHealth",
              "listApiKeys",
              "createApiKey",
              "revokeApiKey");
    }
  }

  private static Set<String> operations(Running running, Class<? extends Access> access) {
    return running.server.routes().stream()
        .filter(route -> access.isInstance(route.access()))
        .map(Route::operation)
        .collect(Collectors.toSet());
  }

  /** What the compiler says about a class that makes this route. */
  private List<String> errors(String expression) {
    String source =
        """
        import dev.slipway.web.access.Action;
        import dev.slipway.web.*;
        class Made { Route route = %s; }
        """
            .formatted(expression);
    JavaFileObject file =
        new SimpleJavaFileObject(URI.create("string:///Made.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
    List<String> options =
        List.of(
            "-proc:none",
            "-d",
            classes.toString(),
            "-classpath",
            System.getProperty("java.class.path"));
    compiler.getTask(null, null, said, options, null, List.of(file)).call();
    return said.getDiagnostics().stream()
        .filter(d -> d.getKind() == javax.tools.Diagnostic.Kind.ERROR)
        .map(Object::toString)
        .toList();
  }
}
