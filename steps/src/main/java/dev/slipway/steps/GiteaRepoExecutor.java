package dev.slipway.steps;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.engine.workflow.StepType.Field;
import dev.slipway.engine.workflow.StepType.Kind;
import dev.slipway.engine.workflow.StepType.Need;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Creates and deletes repositories of the configured Gitea. */
public final class GiteaRepoExecutor implements StepExecutor {
  static final String NAME = "gitea-repo";

  static final StepType TYPE =
      new StepType(
              NAME,
              Set.of(),
              List.of(
                  new Field("operation", Kind.TEXT, Need.REQUIRED, "create or delete")
                      .oneOf("create", "delete"),
                  new Field("name", Kind.TEXT, Need.REQUIRED, "the repository's name")
                      .also("repoName"),
                  new Field(
                          "owner",
                          Kind.TEXT,
                          Need.OPTIONAL,
                          "an organisation or a user; the configuration's gitea.owner, else the"
                              + " user whose credentials are used")
                      .also("org"),
                  new Field(
                      "private", Kind.BOOLEAN, Need.OPTIONAL, "visible to its owner only; true"),
                  new Field(
                      "autoInit",
                      Kind.BOOLEAN,
                      Need.OPTIONAL,
                      "begin with a README and a branch; true"),
                  new Field("description", Kind.TEXT, Need.OPTIONAL, "shown beside its name")),
              1,
              StepType.Code.NONE)
          .documented(
              "Makes or removes a repository of the Gitea that the configuration names below"
                  + " `gitea`: `url`, and `token` or `username` and `password`. The host needs no"
                  + " grant.",
              "A repository that create finds with the stamp of this resource, or that delete does"
                  + " not find, is a success; any other one that exists is `not-ours`. The stamp"
                  + " ends the description. What got no clear answer is looked up before it is asked"
                  + " for again, so `created` is right also after a crash.")
          .giving("repo_id", "Gitea's number for it")
          .giving("repo_name", "its name as Gitea spells it")
          .giving("repo_url", "its page")
          .giving("clone_url", "for git by HTTP")
          .giving("ssh_url", "for git by ssh")
          .giving("created", "whether this step made it");

  private final Supplier<Map<String, Object>> configured;
  private final HostRules hosts;
  private final InstantSource clock;
  private final HttpClient client;

  /** {@code configured} gives the section {@code gitea} of the configuration in force. */
  public GiteaRepoExecutor(
      Supplier<Map<String, Object>> configured, HostRules hosts, InstantSource clock) {
    this.configured = configured;
    this.hosts = hosts;
    this.clock = clock;
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(10))
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
  }

  @Override
  public StepType type() {
    return TYPE;
  }

  @Override
  public Result execute(StepCall call) throws InterruptedException {
    GiteaServer gitea;
    try {
      gitea = GiteaServer.of(configured.get(), client);
    } catch (IllegalArgumentException e) {
      return Result.failed(
          "gitea-not-configured",
          "the server's configuration names no Gitea: " + e.getMessage(),
          "Write gitea: {url: 'https://...', token: '${env:GITEA_TOKEN}'} into admin-config.yaml.");
    }
    StepError refused = gitea.refusal(hosts);
    if (refused != null) {
      return new Result.Failed(refused, Map.of());
    }
    GiteaRepoCall repoCall = new GiteaRepoCall(gitea, call, clock);
    try {
      return repoCall.result();
    } catch (GiteaRefusal e) {
      return new Result.Failed(e.error(), Map.of());
    } catch (IOException e) {
      return repoCall.unclear("no answer from " + gitea.label() + said(e));
    }
  }

  private static String said(IOException e) {
    return e.getMessage() == null ? "" : ": " + e.getMessage();
  }
}
