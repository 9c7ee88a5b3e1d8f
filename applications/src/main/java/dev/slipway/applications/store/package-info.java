/**
 * Applications, environments and resources in the database, and every use case on them: plan,
 * deploy, roll back, tear down, look, explain. One transaction accepts a request and starts what it
 * can; the rest follows from {@link dev.slipway.applications.progress}. Each query is limited to
 * what its caller may see, in SQL.
 */
@NullMarked
package dev.slipway.applications.store;

import org.jspecify.annotations.NullMarked;
