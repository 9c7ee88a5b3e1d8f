package dev.slipway.applications.store;

import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.engine.execute.NewRun;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What runs of an application are for. */
record RunSubject(ApplicationRefs refs, UUID application) {

  /** One of its resources. */
  NewRun.Subject of(KnownResource resource, @Nullable UUID deployment, String cause) {
    return new NewRun.Subject(
        root(), part(resource), deployment, ApplicationKey.of(application, resource.id(), cause));
  }

  /** One of its resources, of which that key is signalled. */
  NewRun.Subject of(KnownResource resource, NewRun.Key key) {
    return new NewRun.Subject(root(), part(resource), null, key);
  }

  private NewRun.Part part(KnownResource resource) {
    return new NewRun.Part(
        refs.resource(resource.identity()), resource.id(), resource.name(), resource.type());
  }

  /** All of it. */
  NewRun.Subject whole(UUID deployment, String cause) {
    return new NewRun.Subject(
        root(), null, deployment, ApplicationKey.of(application, null, cause));
  }

  private NewRun.Part root() {
    return NewRun.Part.of(refs.application(), application);
  }
}
