package dev.slipway.kubernetes.lua;

import java.io.ByteArrayOutputStream;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/**
 * Function {@code gsub}: replaces matches by a text, an entry of a table or a function's result.
 */
final class StringReplace {
  private final Evaluation evaluation;
  private final LuaString text;
  private final LuaValue by;
  private final Pattern pattern;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private StringReplace(Arguments a) {
    this.evaluation = a.evaluation();
    this.text = a.text(1);
    this.pattern = new Pattern(evaluation, text, a.text(2));
    this.by =
        switch (a.at(3).type()) {
          case LuaValue.TTABLE, LuaValue.TFUNCTION -> a.at(3);
          default -> a.text(3);
        };
  }

  static Varargs replace(Arguments a) {
    int most = a.has(4) ? a.whole(4) : Integer.MAX_VALUE;
    return new StringReplace(a).upTo(most);
  }

  private Varargs upTo(int most) {
    int at = 0;
    int count = 0;
    while (count < most) {
      int end = pattern.matchAt(at);
      if (end >= 0) {
        count++;
        append(at, end);
      }
      if (end > at) {
        at = end;
      } else if (at < text.m_length) {
        write(text.m_bytes, text.m_offset + at++, 1);
      } else {
        break;
      }
      if (pattern.isAnchored()) {
        break;
      }
    }
    if (at < text.m_length) {
      write(text.m_bytes, text.m_offset + at, text.m_length - at);
    }
    return LuaValue.varargsOf(LuaString.valueUsing(out.toByteArray()), LuaValue.valueOf(count));
  }

  private void append(int from, int to) {
    LuaValue[] captures = pattern.values(from, to);
    LuaValue value =
        switch (by.type()) {
          case LuaValue.TTABLE -> by.get(captures[0]);
          case LuaValue.TFUNCTION -> by.invoke(LuaValue.varargsOf(captures)).arg1();
          default -> LuaValue.NIL;
        };
    if (by instanceof LuaString template) {
      fill(template, from, to);
    } else if (!value.toboolean()) {
      write(text.m_bytes, text.m_offset + from, to - from);
    } else if (value.isstring()) {
      write(BaseLibrary.text(value).checkstring());
    } else {
      throw ScriptErrors.raised("invalid replacement value (a " + value.typename() + ")");
    }
  }

  /** {@code %0} is the whole match, {@code %1} the first capture. */
  private void fill(LuaString template, int from, int to) {
    for (int i = 0; i < template.m_length; i++) {
      int c = template.luaByte(i);
      if (c != '%' || i + 1 == template.m_length) {
        write(template.m_bytes, template.m_offset + i, 1);
        continue;
      }
      int next = template.luaByte(++i);
      if (next == '0' || next == '1' && pattern.captures() == 0) {
        write(text.m_bytes, text.m_offset + from, to - from);
      } else if (next >= '1' && next <= '9') {
        write(BaseLibrary.text(pattern.capture(next - '1')).checkstring());
      } else {
        write(template.m_bytes, template.m_offset + i, 1);
      }
    }
  }

  private void write(LuaString part) {
    write(part.m_bytes, part.m_offset, part.m_length);
  }

  private void write(byte[] bytes, int offset, int length) {
    evaluation.work(1 + length / 8);
    evaluation.allocate(2L * length);
    evaluation.checkText((long) out.size() + length);
    out.write(bytes, offset, length);
  }
}
