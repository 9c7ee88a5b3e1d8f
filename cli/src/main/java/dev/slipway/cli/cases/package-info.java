/** Test cases of providers: read from YAML, compared with what happened, told as text and XML. */
package dev.slipway.cli.cases;
