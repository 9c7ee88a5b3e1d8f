/**
 * The table of kinds: how each kind of object is called, where it is listed, shown, deleted and
 * explained, which events and graph nodes belong to it. Trunk and branches contribute rows; clients
 * read the table and know no kind by heart.
 */
@NullMarked
package dev.slipway.web.kind;

import org.jspecify.annotations.NullMarked;
