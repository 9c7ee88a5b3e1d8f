/**
 * Git repositories elsewhere. What is read is fetched with limits on time and size and checked out
 * once per commit, never changed afterwards; what is written is pushed with the old value expected.
 * Providers come from here, and steps write here.
 */
@NullMarked
package dev.slipway.git;

import org.jspecify.annotations.NullMarked;
