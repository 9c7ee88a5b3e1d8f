package dev.slipway.gotemplate.regex;

/** Whether upper and lower case count as different. */
enum Case {
  DIFFERS,
  IGNORED;

  CharSet of(CharSet set) {
    return this == IGNORED ? set.folded() : set;
  }

  CharSet of(int codePoint) {
    return this == IGNORED ? CaseOrbits.of(codePoint) : CharSet.of(codePoint);
  }
}
