package dev.slipway.server.http;

/** Carries out one call that is permitted as far as its route goes. */
@FunctionalInterface
public interface Handler {
  Answer handle(Call call) throws Exception;
}
