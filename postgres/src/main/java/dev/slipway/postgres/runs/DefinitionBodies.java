package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.DefinitionSnapshot;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Sha256;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What new runs execute, by definition: in one order, so that two inserts cannot cross. */
record DefinitionBodies(Map<Resolution.Definition, String> hashes, TreeMap<String, String> texts) {
  static DefinitionBodies of(List<NewRun> runs) {
    DefinitionBodies bodies = new DefinitionBodies(new IdentityHashMap<>(), new TreeMap<>());
    for (NewRun run : runs) {
      if (!bodies.hashes.containsKey(run.definition())) {
        String body = body(run.definition());
        String hash = Sha256.hex(body);
        bodies.hashes.put(run.definition(), hash);
        bodies.texts.put(hash, body);
      }
    }
    return bodies;
  }

  static String body(Resolution.Definition definition) {
    return Json.write(Trees.of(DefinitionSnapshot.of(definition)));
  }
}
