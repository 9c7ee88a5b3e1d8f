package dev.slipway.testbed;

/** An empty database of its own on the test server: where it is and how to log in. */
public record TestDatabase(String jdbcUrl, String user, String password) {}
