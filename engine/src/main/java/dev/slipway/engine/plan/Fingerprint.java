package dev.slipway.engine.plan;

import dev.slipway.engine.intake.Canonical;
import dev.slipway.engine.value.Sealed;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.value.Values;
import org.jspecify.annotations.Nullable;

/**
 * Hashes of trees with secrets in them. Equal values have equal hashes although each sealing of a
 * secret looks different, and a hash gives no secret away.
 */
public final class Fingerprint {
  private final SecretBox box;

  /** With the key that the secrets are sealed under. */
  public Fingerprint(SecretBox box) {
    this.box = box;
  }

  /** The hash of a tree. */
  public String of(@Nullable Object tree) {
    return Canonical.hash(leaves(tree));
  }

  /** Whether two trees are the same, secrets compared by what is inside. */
  public boolean same(@Nullable Object one, @Nullable Object other) {
    return Canonical.text(leaves(one)).equals(Canonical.text(leaves(other)));
  }

  private @Nullable Object leaves(@Nullable Object tree) {
    return Values.mapLeaves(
        tree,
        leaf ->
            switch (leaf) {
              case Sealed sealed -> "sealed:" + box.fingerprint(box.open(sealed));
              case UnknownValue later -> later.toString();
              case null -> null;
              default -> leaf;
            });
  }
}
