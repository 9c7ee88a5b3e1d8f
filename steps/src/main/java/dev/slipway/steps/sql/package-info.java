/**
 * Steps of type sql: statements on the configured databases, PostgreSQL and MariaDB, with the
 * differences between them.
 */
@NullMarked
package dev.slipway.steps.sql;

import org.jspecify.annotations.NullMarked;
