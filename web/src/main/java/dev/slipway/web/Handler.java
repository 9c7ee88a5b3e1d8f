package dev.slipway.web;

/** Executes one call whose route the caller may use. */
@FunctionalInterface
public interface Handler {
  Answer handle(Call call) throws Exception;
}
