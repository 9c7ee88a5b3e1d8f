/**
 * The product's thinking, one package a stage, in flow order: graph, intake, workflow, resolve,
 * plan, execute, observe. A stage imports earlier stages only, and declares as an interface what it
 * needs from outside; no database, HTTP server, cluster or Git in here.
 */
@NullMarked
package dev.slipway.engine;

import org.jspecify.annotations.NullMarked;
