package dev.slipway.kubernetes.controlplane;

import dev.slipway.programs.ProgramException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * The loopback ports of a control plane, chosen at its first start and kept in a file, since a
 * kubeconfig names the one of the API server.
 */
record Ports(int api, int etcd, int etcdPeer) {
  /** Below the range from which outgoing connections take theirs. */
  private static final int LEAST = 20_000;

  private static final int BOUND = 30_000;
  private static final int COUNT = 3;
  private static final Duration ENDING = Duration.ofSeconds(5);

  static Ports in(Path file) throws IOException {
    if (!Files.exists(file)) {
      List<String> chosen =
          Stream.generate(() -> ThreadLocalRandom.current().nextInt(LEAST, BOUND))
              .distinct()
              .filter(Ports::free)
              .limit(COUNT)
              .map(String::valueOf)
              .toList();
      Path fresh = Files.write(file.resolveSibling("." + file.getFileName()), chosen);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }
    List<Integer> ports = read(file);
    for (int port : ports) {
      if (!freeSoon(port)) {
        throw new ProgramException(
            "port %d of the embedded control plane is taken by another program. Stop that program, or delete %s to have other ports, after which kubeconfig files of before do not work."
                .formatted(port, file));
      }
    }
    return new Ports(ports.get(0), ports.get(1), ports.get(2));
  }

  private static List<Integer> read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    if (lines.size() != COUNT || !lines.stream().allMatch(line -> line.matches("[0-9]{1,5}"))) {
      throw new ProgramException(
          "%s does not hold the %d ports of the embedded control plane. Delete it to have other ports, after which kubeconfig files of before do not work."
              .formatted(file, COUNT));
    }
    return lines.stream().map(Integer::valueOf).toList();
  }

  /** Components of an owner that was killed just now still end. */
  private static boolean freeSoon(int port) {
    long end = System.nanoTime() + ENDING.toNanos();
    while (!free(port)) {
      if (System.nanoTime() > end || Thread.currentThread().isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
    return true;
  }

  private static boolean free(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
