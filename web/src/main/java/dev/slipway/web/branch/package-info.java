/**
 * The seam between trunk and branches. A branch is a module of its own: it describes itself ({@link
 * dev.slipway.web.branch.Branch}), is opened on a {@link dev.slipway.web.branch.Trunk} and gives
 * the trunk what it contributes ({@link dev.slipway.web.branch.OpenBranch}). The server lists the
 * branches; no branch depends on another one.
 */
@NullMarked
package dev.slipway.web.branch;

import org.jspecify.annotations.NullMarked;
