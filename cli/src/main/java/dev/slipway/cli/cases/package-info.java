/**
 * Test cases of providers: read from YAML, compared with what happened, reported as text and XML.
 */
@NullMarked
package dev.slipway.cli.cases;

import org.jspecify.annotations.NullMarked;
