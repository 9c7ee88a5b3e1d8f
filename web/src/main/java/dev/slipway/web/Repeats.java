package dev.slipway.web;

import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Sealed;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.value.Values;
import dev.slipway.postgres.access.RepeatedRequests;
import dev.slipway.postgres.access.RepeatedRequests.Reply;
import dev.slipway.postgres.access.RepeatedRequests.Request;
import dev.slipway.postgres.access.RepeatedRequests.Verdict;
import dev.slipway.web.access.Tokens;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * Executes a change in one transaction; a request with an Idempotency-Key once, however often it is
 * sent. Kept replies are sealed, because a reply may contain a new token.
 */
record Repeats(RepeatedRequests requests, SecretBox box, InstantSource clock) {
  private static final String HEADER = "Idempotency-Key";
  private static final int LONGEST_KEY = 255;

  /** {@code replayed} receives the answer when it is the kept one of an earlier request. */
  Answer once(Call call, Callable<Answer> change, Consumer<Answer> replayed) throws Exception {
    String key = call.header(HEADER).orElse("");
    if (key.isEmpty() || !call.route().traits().contains(Route.Trait.IDEMPOTENT)) {
      return requests.carryOut(change);
    }
    if (key.length() > LONGEST_KEY) {
      throw Problem.badRequest("An " + HEADER + " has at most " + LONGEST_KEY + " characters.")
          .exception();
    }
    Request request = new Request(call.caller().name(), key, call.target(), hash(call));
    return switch (requests.begin(request, clock.instant())) {
      case Verdict.First first -> carryOut(change, request, first);
      case Verdict.Done done -> again(request, done, replayed);
      case Verdict.Differs differs ->
          throw Problem.of(
                  422,
                  "idempotency-key-reused",
                  "The idempotency key was used for another request",
                  "Take a new " + HEADER + " for a new request.")
              .exception();
      case Verdict.Running running -> throw stillRunning();
    };
  }

  private static ProblemException stillRunning() {
    return Problem.of(
            409,
            "still-running",
            "The same request is still being carried out",
            "Send it again in a moment to get its reply.")
        .withHeader("Retry-After", "1")
        .exception();
  }

  private Answer carryOut(Callable<Answer> change, Request request, Verdict.First first)
      throws Exception {
    try {
      return requests.carryOut(request, first, change, answer -> kept(request, answer));
    } catch (RepeatedRequests.TakenOverException e) {
      throw stillRunning();
    }
  }

  private Optional<Reply> kept(Request request, Answer answer) {
    return answer.status() < 300 && answer.body() instanceof Answer.Body.Value value
        ? Optional.of(
            new Reply(answer.status(), seal(request, answer, ApiJson.write(value.value()))))
        : Optional.empty();
  }

  private Answer again(Request request, Verdict.Done done, Consumer<Answer> replayed) {
    String stored = new String(done.reply(), StandardCharsets.US_ASCII);
    Map<String, Object> reply = Values.map(box.open(new Sealed(stored, row(request))));
    Map<String, String> headers = new LinkedHashMap<>();
    Values.map(reply.get("headers")).forEach((name, value) -> headers.put(name, (String) value));
    headers.put("Idempotency-Replayed", "true");
    Answer answer =
        new Answer(
            done.status(),
            headers,
            new Answer.Body.Text("application/json", String.valueOf(reply.get("body"))));
    replayed.accept(answer);
    return answer;
  }

  private byte[] seal(Request request, Answer answer, String json) {
    Map<String, Object> reply = new LinkedHashMap<>();
    reply.put("headers", new LinkedHashMap<>(answer.headers()));
    reply.put("body", json);
    return box.seal(reply, row(request)).ciphertext().getBytes(StandardCharsets.US_ASCII);
  }

  private static EncryptionContext row(Request request) {
    return EncryptionContext.reply(request.user(), request.key(), request.scope());
  }

  private static byte[] hash(Call call) {
    return Tokens.hash(
        Json.write(call.target()) + new String(call.body(), StandardCharsets.ISO_8859_1));
  }
}
