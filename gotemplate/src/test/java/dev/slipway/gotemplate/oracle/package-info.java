/**
 * Compares the Java implementation with real Go: committed cases with Go's results, and random
 * cases where Go is installed.
 */
package dev.slipway.gotemplate.oracle;
