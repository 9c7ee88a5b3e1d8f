package dev.slipway.testbed.node;

import dev.slipway.programs.ChildProcess;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A pod of the node: its one container as a process, its volumes as directories. */
final class PodProcess {
  private static final long PAUSE_MILLIS = 100;

  private final KubernetesClient client;
  private final Path directory;
  private final Path log;
  private final ScheduledExecutorService threads;
  private final Instant startedAt = Instant.now();
  private Pod pod;
  private @Nullable Process process;
  private boolean ending;

  PodProcess(KubernetesClient client, Pod pod, Path directory, ScheduledExecutorService threads) {
    this.client = client;
    this.pod = pod;
    this.directory = directory;
    this.log = directory.resolve("log");
    this.threads = threads;
  }

  boolean named(String namespace, String name) {
    return pod.getMetadata().getNamespace().equals(namespace)
        && pod.getMetadata().getName().equals(name);
  }

  synchronized boolean started() {
    return process != null;
  }

  synchronized boolean runs() {
    return process != null && process.isAlive();
  }

  /** Does what the pod asks for now. */
  synchronized void see(Pod now, Set<String> images) {
    pod = now;
    if (now.getMetadata().getDeletionTimestamp() != null) {
      end();
    } else if (process == null && !PodReport.terminal(now)) {
      if (images.contains(container().getImage())) {
        start(images);
      } else {
        report(PodReport.waiting(container(), "ImagePullBackOff", backOff()));
      }
    }
  }

  private String backOff() {
    return "Back-off pulling image \"%s\": not found".formatted(container().getImage());
  }

  private Container container() {
    return pod.getSpec().getContainers().getFirst();
  }

  private void start(Set<String> images) {
    try {
      Files.createDirectories(directory);
      Map<String, Path> mounts = new PodVolumes(client, pod, directory).mounts();
      List<String> command = new ArrayList<>();
      container().getCommand().forEach(word -> command.add(PodVolumes.within(mounts, word)));
      container().getArgs().forEach(word -> command.add(PodVolumes.within(mounts, word)));
      ProcessBuilder builder = ChildProcess.builder(command).redirectOutput(log.toFile());
      Map<String, String> env = builder.environment();
      env.keySet().retainAll(Set.of("PATH"));
      for (EnvVar variable : container().getEnv()) {
        String value = Objects.toString(variable.getValue(), "");
        env.put(variable.getName(), PodVolumes.within(mounts, value));
      }
      Process started = builder.directory(directory.toFile()).start();
      process = started;
      report(PodReport.running(container(), startedAt));
      started.onExit().thenAcceptAsync(this::exited, threads);
    } catch (PodVolumes.MissingException e) {
      report(PodReport.waiting(container(), "ContainerCreating", String.valueOf(e.getMessage())));
      threads.schedule(() -> see(pod, images), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (IOException e) {
      report(PodReport.waiting(container(), "StartError", String.valueOf(e.getMessage())));
    }
  }

  private synchronized void exited(Process ended) {
    killAll(ended);
    report(PodReport.terminated(container(), startedAt, ended.exitValue()));
    if (ending) {
      forget();
    }
  }

  /** TERM to the first process, KILL to all of them after the grace period. */
  private void end() {
    if (ending) {
      return;
    }
    ending = true;
    Process running = process;
    if (running == null || !running.isAlive()) {
      forget();
      return;
    }
    running.toHandle().destroy(); // Process.destroy closes its pipe, which kills it
    Long grace = pod.getMetadata().getDeletionGracePeriodSeconds();
    threads.schedule(
        () -> {
          if (running.isAlive()) {
            killAll(running);
          }
        },
        Objects.requireNonNullElse(grace, 30L),
        TimeUnit.SECONDS);
  }

  synchronized void kill() {
    if (process != null && process.isAlive()) {
      killAll(process);
    }
  }

  /** The process leads a session of its own, as a container's first one does. */
  private static void killAll(Process leader) {
    leader.descendants().forEach(ProcessHandle::destroyForcibly);
    leader.destroyForcibly();
    try {
      new ProcessBuilder("kill", "-KILL", "--", "-" + leader.pid())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      return; // its own processes are dead
    }
  }

  /** The pod's last word: the node has nothing of it any more. */
  private void forget() {
    again(() -> client.resource(pod).withGracePeriod(0).delete());
  }

  private void report(PodReport report) {
    again(() -> client.resource(pod).editStatus(report::on));
  }

  /** Until the API server accepts it; a pod that is gone needs nothing. */
  private void again(Runnable request) {
    try {
      request.run();
    } catch (KubernetesClientException e) {
      if (e.getCode() != 404 && !threads.isShutdown()) {
        threads.schedule(() -> again(request), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
      }
    }
  }

  /** The log from its beginning; following it until the container ends. */
  void copyLog(OutputStream out, boolean follow) throws IOException, InterruptedException {
    try (InputStream in = Files.newInputStream(log)) {
      while (true) {
        boolean more = follow && runs(); // asked before reading, so that no last line is missed
        in.transferTo(out);
        out.flush();
        if (!more) {
          return;
        }
        Objects.requireNonNull(process).waitFor(PAUSE_MILLIS / 2, TimeUnit.MILLISECONDS);
      }
    }
  }
}
