/**
 * The safe part of sprig 3.3 as plain values: {@link dev.slipway.gotemplate.sprig.Sprig} has the
 * sets to compose from, {@link dev.slipway.gotemplate.sprig.WorkflowFunctions} and {@link
 * dev.slipway.gotemplate.sprig.TenantFunctions} what workflows and tenants may call. Functions that
 * make text or lists charge for it before they do.
 */
@NullMarked
package dev.slipway.gotemplate.sprig;

import org.jspecify.annotations.NullMarked;
