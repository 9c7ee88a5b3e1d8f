package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;

/** A text builder that stays within the limits of a call. */
final class Bounded {
  private final Call call;
  private final long most;
  private final StringBuilder text = new StringBuilder();
  private int charged;

  Bounded(Call call) {
    this.call = call;
    this.most = call.limits().output();
  }

  Bounded add(CharSequence part) {
    reserve(part.length());
    text.append(part);
    return this;
  }

  Bounded add(char c) {
    reserve(1);
    text.append(c);
    return this;
  }

  Bounded addCodePoint(int c) {
    reserve(2);
    text.appendCodePoint(c);
    return this;
  }

  Bounded pad(int spaces) {
    reserve(spaces);
    text.repeat(' ', spaces);
    return this;
  }

  private void reserve(int more) {
    if ((long) text.length() + more > most) {
      call.room((long) text.length() + more);
    }
    if (text.length() - charged > 1024) {
      call.charge((text.length() - charged) >> 4);
      charged = text.length();
    }
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
