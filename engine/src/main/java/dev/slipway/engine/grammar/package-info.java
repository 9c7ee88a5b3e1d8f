/**
 * What files may hold, as tables: forms, their fields and the shapes of values. Parsers are held to
 * these tables, and the reference pages and JSON Schemas are made from them, so that all of them
 * always say the same.
 */
@NullMarked
package dev.slipway.engine.grammar;

import org.jspecify.annotations.NullMarked;
