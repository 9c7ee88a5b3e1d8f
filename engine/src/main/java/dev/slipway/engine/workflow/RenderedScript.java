package dev.slipway.engine.workflow;

import java.util.Map;

/** Shell text in which every value is a reference to one of the environment variables. */
public record RenderedScript(String text, Map<String, String> env) {}
