/**
 * Programs of other projects: built once a machine from Go modules that this project pins, kept in
 * the user's cache, and run as children that end with this process.
 */
@NullMarked
package dev.slipway.programs;

import org.jspecify.annotations.NullMarked;
