/**
 * Lua scripts of people who are not trusted: compiled by LuaJ, evaluated with libraries of our own,
 * each evaluation with globals of its own and limits on work and memory. Scripts reach nothing
 * outside the values that they are given, and nothing that another script sees.
 */
@NullMarked
package dev.slipway.kubernetes.lua;

import org.jspecify.annotations.NullMarked;
