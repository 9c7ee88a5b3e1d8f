/**
 * Steps of type sql: statements on the databases that are configured, which PostgreSQL and MariaDB
 * each take in their own way.
 */
@NullMarked
package dev.slipway.steps.sql;

import org.jspecify.annotations.NullMarked;
