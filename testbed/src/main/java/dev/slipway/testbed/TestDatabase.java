package dev.slipway.testbed;

/** The address and credentials of a separate, empty database on the test server. */
public record TestDatabase(String jdbcUrl, String user, String password) {}
