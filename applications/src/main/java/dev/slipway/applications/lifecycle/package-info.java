/**
 * The life of resources: its states, which transition each of them may make, and where the report
 * of a run takes one.
 */
@NullMarked
package dev.slipway.applications.lifecycle;

import org.jspecify.annotations.NullMarked;
