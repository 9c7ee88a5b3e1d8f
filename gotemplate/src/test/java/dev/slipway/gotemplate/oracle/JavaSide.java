package dev.slipway.gotemplate.oracle;

import dev.slipway.gotemplate.Settings;
import dev.slipway.gotemplate.Template;
import dev.slipway.gotemplate.TemplateException;
import dev.slipway.gotemplate.Text;

/** Runs cases with the Java implementation. */
final class JavaSide {
  private JavaSide() {}

  static Outcome run(OracleCase each) {
    return run(each, each.template());
  }

  static Outcome run(OracleCase each, String template) {
    Settings settings = each.settings();
    try {
      String text = Template.parse("t", template, settings).execute(each.data());
      return new Outcome.Written(Text.bytes(text));
    } catch (TemplateException e) {
      Outcome.Phase phase =
          e.kind() == TemplateException.Kind.PARSE ? Outcome.Phase.PARSE : Outcome.Phase.EXECUTE;
      return new Outcome.Failed(phase, e.position().line(), Meaning.of(e), e.getMessage());
    } catch (RuntimeException | StackOverflowError e) {
      return new Outcome.Crashed(e);
    }
  }
}
