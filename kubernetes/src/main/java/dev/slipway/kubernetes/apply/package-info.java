/**
 * Objects in clusters: applied, patched, read and deleted one by one, each only when it carries the
 * owner's stamp. Ownership is stored with the same request that creates the object, and every
 * change names the object's uid, so that a second writer cannot come in between.
 */
@NullMarked
package dev.slipway.kubernetes.apply;

import org.jspecify.annotations.NullMarked;
