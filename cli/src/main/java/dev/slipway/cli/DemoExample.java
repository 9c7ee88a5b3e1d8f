package dev.slipway.cli;

import java.nio.file.Path;
import java.util.List;

/** What the demo deploys. */
enum DemoExample {
  /** Resources alone. */
  GUESTBOOK("guestbook", "examples/guestbook/score.yaml"),
  /** Containers in the embedded cluster, with what they need. */
  STOREFRONT("storefront", "examples/workload/score.yaml");

  private final String application;
  private final String file;

  DemoExample(String application, String file) {
    this.application = application;
    this.file = file;
  }

  String application() {
    return application;
  }

  Path score(Path home) {
    return home.resolve(file);
  }

  /** Commands that show more of it. */
  List<String> next() {
    return switch (this) {
      case GUESTBOOK ->
          List.of(
              "slipway status guestbook                     its resources and their states",
              "slipway resource outputs guestbook/db --reveal   the generated password",
              "slipway runs --application guestbook         what was run for it",
              "slipway logs guestbook                       what the steps wrote",
              "slipway plan FILE, slipway deploy FILE       a Score file of your own",
              "slipway provider list                        what can be asked for",
              "slipway demo --clean                         remove all of this");
      case STOREFRONT ->
          List.of(
              "slipway status storefront                    its resources, their states and health",
              "slipway explain storefront                   why something is not as it should be",
              "slipway graph storefront --format mermaid    what depends on what",
              "slipway kubectl get all --all-namespaces     what is in the cluster",
              "slipway kubectl annotate pod --all -A simulate.slipway.dev/pod=crash   and watch the health",
              "slipway deploy FILE                          a Score file of your own",
              "slipway demo --clean                         remove all of this");
    };
  }
}
