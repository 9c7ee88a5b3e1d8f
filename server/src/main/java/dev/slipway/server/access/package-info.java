/**
 * Who is calling and what they may do: tokens and passwords to an account, roles in teams to
 * permitted actions.
 */
@NullMarked
package dev.slipway.server.access;

import org.jspecify.annotations.NullMarked;
