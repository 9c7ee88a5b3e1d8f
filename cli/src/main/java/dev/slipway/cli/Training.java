package dev.slipway.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Uses what verbs use once, so that a start-up cache made from this run has it. */
final class Training {
  private static final String ANSWER =
      "{\"data\":[{\"name\":\"a\",\"environment\":\"default\",\"team\":\"t\",\"state\":\"active\","
          + "\"resources\":1,\"active\":1,\"revision\":1,\"createdAt\":\"2026-01-01T00:00:00Z\"}],"
          + "\"nodes\":[],\"edges\":[],\"total\":1}";

  private Training() {}

  static int run() throws IOException {
    PrintStream real = System.out;
    var server =
        com.sun.net.httpserver.HttpServer.create(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] bytes = ANSWER.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    String address = "http://127.0.0.1:" + server.getAddress().getPort();
    try (PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream())) {
      System.setOut(nowhere);
      Main.run("status", "--server", address, "--token", "x");
      Main.run("status", "--server", address, "--token", "x", "-o", "json");
      Main.run("status", "--server", address, "--token", "x", "-o", "yaml");
      Main.run("graph", "a", "--server", address, "--token", "x");
      Main.run("--help");
      Main.run("--version");
      Main.run("version");
      return ExitCode.OK.code();
    } finally {
      System.setOut(real);
      server.stop(0);
    }
  }
}
