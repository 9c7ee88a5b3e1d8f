package dev.slipway.testbed;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The requests that an API server has answered since it started, as it counts them itself.
 *
 * @param counts one for each verb, resource and status
 */
public record ServedRequests(List<Count> counts) {
  private static final Pattern LINE =
      Pattern.compile("(?m)^apiserver_request_total\\{([^}]*)\\} ([0-9.e+]+)$");

  /** How many requests had that verb, such as {@code APPLY}, and that resource and status. */
  public record Count(String verb, String resource, String code, long number) {}

  /** What the API server has counted until now. */
  public static ServedRequests by(KubernetesClient administrator) {
    List<Count> counts = new ArrayList<>();
    Matcher line = LINE.matcher(administrator.raw("/metrics"));
    while (line.find()) {
      String labels = line.group(1);
      counts.add(
          new Count(
              label(labels, "verb"),
              label(labels, "resource"),
              label(labels, "code"),
              (long) Double.parseDouble(line.group(2))));
    }
    return new ServedRequests(counts);
  }

  private static String label(String labels, String name) {
    Matcher found = Pattern.compile("\\b" + name + "=\"([^\"]*)\"").matcher(labels);
    return found.find() ? found.group(1) : "";
  }

  /** How many requests for that resource had one of the verbs. */
  public long of(String resource, String... verbs) {
    return counts.stream()
        .filter(count -> count.resource().equals(resource))
        .filter(count -> List.of(verbs).contains(count.verb()))
        .mapToLong(Count::number)
        .sum();
  }

  /** How many requests with one of the verbs were answered with that status. */
  public long answered(String code, String... verbs) {
    return counts.stream()
        .filter(count -> count.code().equals(code))
        .filter(count -> List.of(verbs).contains(count.verb()))
        .mapToLong(Count::number)
        .sum();
  }
}
