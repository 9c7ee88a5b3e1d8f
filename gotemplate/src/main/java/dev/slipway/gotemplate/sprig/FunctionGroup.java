package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Function;
import java.util.ArrayList;
import java.util.List;

/** Collects the functions of one documentation group. */
final class FunctionGroup {
  private final String group;
  private final List<Function> functions = new ArrayList<>();

  FunctionGroup(String group) {
    this.group = group;
  }

  FunctionGroup add(String name, String signature, String doc, Function.Body body) {
    functions.add(Function.of(name, group, signature, doc, body));
    return this;
  }

  /** A function that changes a dict it is given. */
  FunctionGroup changing(String name, String signature, String doc, Function.Changing body) {
    return add(name, signature, doc, body);
  }

  /** The last added function once more under another name. */
  FunctionGroup also(String... names) {
    Function last = functions.getLast();
    for (String name : names) {
      functions.add(last.named(name));
    }
    return this;
  }

  List<Function> all() {
    return List.copyOf(functions);
  }
}
