/**
 * Holds the Java implementation against real Go: committed cases with the results of Go, and random
 * ones where Go is installed.
 */
package dev.slipway.gotemplate.oracle;
