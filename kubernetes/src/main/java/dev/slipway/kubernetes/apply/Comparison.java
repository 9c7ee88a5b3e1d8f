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
   * Compares an object with its manifest and changes nothing.
   *
   * @throws RefusedException {@code not-ours} when it is not this owner's
   */
  public static Comparison of(ClusterObjects objects, Manifest manifest, IgnoredFields ignored)
      throws RefusedException, ClusterDownException, InterruptedException {
    Optional<ClusterObject> live = objects.found(manifest.ref());
    if (live.isEmpty()) {
      return new Comparison(live, List.of());
    }
    Stamp stamp = objects.session().stamp();
    Stamp.Verdict verdict = objects.ours(manifest.ref(), live.get(), Adoption.REFUSED);
    String kind = manifest.ref().kind().kind();
    List<Difference> differences =
        FieldDifferences.of(manifest.stamped(stamp, verdict), live.get(), stamp.manager()).stream()
            .filter(each -> !ignored.cover(kind, each.field()))
            .toList();
    return new Comparison(live, Difference.words(differences));
  }
}
