/** Identity and permissions: tokens map to an account, roles in teams to permitted actions. */
@NullMarked
package dev.slipway.web.access;

import org.jspecify.annotations.NullMarked;
