/**
 * The engine with its real stores on a real PostgreSQL, while calls of the stores fail by a seed:
 * before they did anything, after they did all of it, or in the middle of a commit. What happened
 * is written down by triggers in the database and by the step executor of the test.
 */
package dev.slipway.applications.faults;
