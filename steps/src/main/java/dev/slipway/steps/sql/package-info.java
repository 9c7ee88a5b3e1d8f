/**
 * Steps of type sql: statements on the databases that are configured, which PostgreSQL and MariaDB
 * each take in their own way.
 */
package dev.slipway.steps.sql;
