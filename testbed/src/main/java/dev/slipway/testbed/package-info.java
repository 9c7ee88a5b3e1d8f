/**
 * Test infrastructure: real PostgreSQL, MariaDB, Git, Ansible and Terraform, a fault-injecting
 * proxy, and a clock that tests set.
 */
@NullMarked
package dev.slipway.testbed;

import org.jspecify.annotations.NullMarked;
