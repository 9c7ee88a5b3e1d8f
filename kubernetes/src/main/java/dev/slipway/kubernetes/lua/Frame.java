package dev.slipway.kubernetes.lua;

import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Prototype;

/** A Lua function that runs, with its registers. */
final class Frame {
  final Prototype prototype;
  final LuaValue[] registers;
  int pc;

  Frame(Prototype prototype, LuaValue[] registers) {
    this.prototype = prototype;
    this.registers = registers;
  }

  int instruction() {
    return prototype.code[pc];
  }

  int line() {
    int[] lines = prototype.lineinfo;
    return pc < lines.length ? lines[pc] : 0;
  }

  /** The constant or register that operand B or C of an instruction names. */
  LuaValue operand(int index) {
    return index > 0xff ? prototype.k[index & 0xff] : registers[index];
  }
}
