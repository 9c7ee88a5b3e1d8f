package dev.slipway.kubernetes.apply;

import dev.slipway.kubernetes.apply.ClusterObjects.Adoption;
import dev.slipway.kubernetes.apply.FieldDifferences.Difference;
import dev.slipway.kubernetes.cluster.ClusterDownException;
import java.util.List;
import java.util.Optional;

/**
 * What there is of a manifest.
 *
 * @param live empty when there is no such object
 * @param changes what other clients have changed of it, in words without values
 */
public record Comparison(Optional<ClusterObject> live, List<String> changes) {
  /**
   * Compares an object with its manifest and changes nothing. Where this replica is the one that
   * asks for looks at what changed, an object that its watch has seen unchanged is not read again.
   *
   * @throws RefusedException {@code not-ours} when it is not this owner's
   */
  public static Comparison of(ClusterObjects objects, Manifest manifest, IgnoredFields ignored)
      throws RefusedException, ClusterDownException, InterruptedException {
    Stamp stamp = objects.session().stamp();
    WarmCache warm = objects.warm();
    String claim =
        WarmCache.claim(
            "as applied",
            manifest.stamped(stamp, Stamp.Verdict.OURS),
            stamp.manager(),
            ignored.toString());
    Optional<ClusterObject> known = warm.sure(manifest.ref(), claim);
    if (known.isPresent()) {
      return new Comparison(known, List.of());
    }
    Optional<ClusterObject> live = objects.found(manifest.ref());
    if (live.isEmpty()) {
      return new Comparison(live, List.of());
    }
    Stamp.Verdict verdict = objects.ours(manifest.ref(), live.get(), Adoption.REFUSED);
    String kind = manifest.ref().kind().kind();
    List<Difference> differences =
        FieldDifferences.of(manifest.stamped(stamp, verdict), live.get(), stamp.manager()).stream()
            .filter(each -> !ignored.cover(kind, each.field()))
            .toList();
    if (differences.isEmpty() && verdict == Stamp.Verdict.OURS) {
      warm.note(manifest.ref(), claim, live.get());
    }
    return new Comparison(live, Difference.words(differences));
  }
}
