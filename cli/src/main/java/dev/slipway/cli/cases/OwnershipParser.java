package dev.slipway.cli.cases;

import dev.slipway.cli.cases.Ownership.Existing;
import dev.slipway.engine.intake.Section;
import dev.slipway.engine.value.Values;
import java.util.List;
import java.util.Optional;

/** Reads the block {@code ownership} of a case. */
final class OwnershipParser {
  private static final String SKIP = "skip";

  private OwnershipParser() {}

  static Ownership parse(Section from) {
    Optional<Section> shared = from.section("shared");
    Ownership ownership =
        new Ownership(
            filled(from, SKIP),
            filled(from, "verify"),
            shared.map(s -> s.strings("outputs")).orElse(List.of()),
            shared.map(s -> s.strings("files")).orElse(List.of()),
            from.section("existing").map(OwnershipParser::existing));
    shared.ifPresent(Section::noOtherKeys);
    from.noOtherKeys();
    if (ownership.skip().isPresent() && from.keys().size() > 1) {
      from.error(SKIP, "contradiction", "what is skipped needs no other word", null);
    }
    return ownership;
  }

  private static Existing existing(Section from) {
    Existing existing =
        new Existing(from.requiredString("script"), Values.map(from.openMap("params")));
    from.noOtherKeys();
    return existing;
  }

  private static Optional<String> filled(Section from, String key) {
    return from.has(key) ? Optional.of(from.requiredString(key)) : Optional.empty();
  }
}
