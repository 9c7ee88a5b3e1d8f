/**
 * Remote Git repositories. Reads are fetched with limits on time and size and checked out once per
 * commit, read-only; writes are pushed with the expected old value of the ref. Providers are loaded
 * from repositories, and git steps write to them.
 */
@NullMarked
package dev.slipway.git;

import org.jspecify.annotations.NullMarked;
