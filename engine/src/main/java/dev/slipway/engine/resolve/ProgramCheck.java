package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.workflow.ProgramNeed;
import dev.slipway.engine.workflow.Workflow;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks, when a provider loads, whether the programs that its steps start are there. On the server
 * that runs the steps a missing one is an error: the workflow cannot be used until the program is
 * installed and the provider loaded again, while the provider's other workflows stay in service.
 * Elsewhere, on the machine of a provider's author, it is a warning.
 */
public final class ProgramCheck {
  /** Looks for nothing. */
  public static final ProgramCheck NONE = new ProgramCheck(null, Where.ELSEWHERE);

  private static final Map<String, String> INSTALL =
      Map.ofEntries(
          Map.entry("ansible-playbook", "pipx install ansible-core, or apt-get install ansible"),
          Map.entry("terraform", "see 'Install Terraform' in its documentation"),
          Map.entry("tofu", "see 'Installing OpenTofu' in its documentation"),
          Map.entry("kubectl", "see 'Install Tools' in the documentation of Kubernetes"),
          Map.entry("helm", "see 'Installing Helm' in its documentation"),
          Map.entry("psql", "apt-get install postgresql-client"),
          Map.entry("pg_dump", "apt-get install postgresql-client"),
          Map.entry("mysql", "apt-get install mariadb-client"),
          Map.entry("mariadb", "apt-get install mariadb-client"),
          Map.entry("redis-cli", "apt-get install redis-tools"),
          Map.entry("python", "apt-get install python-is-python3"),
          Map.entry("node", "apt-get install nodejs"),
          Map.entry("pwsh", "see 'Install PowerShell on Linux' in its documentation"),
          Map.entry("ssh", "apt-get install openssh-client"),
          Map.entry("aws", "pipx install awscli"),
          Map.entry("az", "pipx install azure-cli"),
          Map.entry("gcloud", "see 'Install the gcloud CLI' in its documentation"));

  /** Of a Debian package that is called like its program. */
  private static final List<String> SAME_NAME =
      List.of(
          "bash", "zsh", "dash", "busybox", "git", "curl", "wget", "jq", "openssl", "perl", "ruby",
          "python3", "make", "rsync", "tar", "unzip", "yq", "php", "skopeo", "podman");

  private enum Where {
    /** Here the steps run. */
    SERVER,
    ELSEWHERE
  }

  /** Null when nothing is looked for. */
  private final @Nullable ProgramPath path;

  private final Where where;

  private ProgramCheck(@Nullable ProgramPath path, Where where) {
    this.path = path;
    this.where = where;
  }

  /** On the machine that runs the steps, which find their programs on this path. */
  public static ProgramCheck onServer(ProgramPath path) {
    return new ProgramCheck(path, Where.SERVER);
  }

  /** On a machine that only checks what another one will run. */
  public static ProgramCheck elsewhere(ProgramPath path) {
    return new ProgramCheck(path, Where.ELSEWHERE);
  }

  /** One finding for each program that a step of this file needs and that is not there. */
  public List<Diagnostic> missing(Workflow workflow, String file) {
    ProgramPath searched = path;
    if (searched == null) {
      return List.of();
    }
    return workflow.programs().stream()
        .filter(need -> alternatives(need).noneMatch(name -> searched.find(name).isPresent()))
        .map(need -> finding(need, file))
        .toList();
  }

  /** A need of {@code terraform|tofu} is met by either. */
  private static Stream<String> alternatives(ProgramNeed need) {
    return Stream.of(need.program().split("\\|"));
  }

  private Diagnostic finding(ProgramNeed need, String file) {
    String either = alternatives(need).collect(Collectors.joining("' or '"));
    String what = "step '" + need.step() + "' needs '" + either + "', which is not ";
    String place = need.program().contains("/") ? "a program of " : "on the PATH of ";
    return switch (where) {
      case SERVER ->
          Diagnostic.error(
              "missing-program",
              file,
              need.path(),
              need.at(),
              what + place + "this server",
              install(need.program()) + " Then: slipway provider reload");
      case ELSEWHERE ->
          Diagnostic.warning(
              "missing-program",
              file,
              need.path(),
              need.at(),
              what + place + "this machine",
              "The server needs it to run the step. " + install(need.program()));
    };
  }

  /** How to get a program, as far as that is known. */
  public static String install(String program) {
    String first = program.split("\\|")[0];
    String name = first.substring(first.lastIndexOf('/') + 1);
    String how = SAME_NAME.contains(name) ? "apt-get install " + name : INSTALL.get(name);
    return how == null
        ? "Install the program, or correct its name."
        : "Install it: " + how + (how.startsWith("apt-get") ? " (Debian)." : ".");
  }
}
