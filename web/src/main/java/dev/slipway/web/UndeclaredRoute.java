package dev.slipway.web;

import dev.slipway.web.access.Action;

/**
 * A route whose permission is not declared yet. Nothing else can be said about it before, so a
 * route without a permission does not compile.
 */
public record UndeclaredRoute(Route.Method method, String path) {
  /** Without a token. */
  public RouteDraft open() {
    return new RouteDraft(method, path, new Route.Access.Open());
  }

  /** With a token of any account; the handler shows and changes things of the caller alone. */
  public RouteDraft signedIn() {
    return new RouteDraft(method, path, new Route.Access.SignedIn());
  }

  /** With a role that allows the action for at least one team. */
  public RouteDraft needs(Action action) {
    return new RouteDraft(method, path, new Route.Access.Needs(action));
  }
}
