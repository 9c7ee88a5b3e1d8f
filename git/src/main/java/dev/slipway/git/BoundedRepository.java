package dev.slipway.git;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.ProgressMonitor;
import org.eclipse.jgit.lib.RepositoryBuilder;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.transport.PackParser;

/**
 * A local bare repository that enforces its limits on all that a remote sends, over every
 * transport.
 */
public final class BoundedRepository extends FileRepository {
  private final GitLimits limits;

  private BoundedRepository(RepositoryBuilder builder, GitLimits limits) throws IOException {
    super(builder);
    this.limits = limits;
  }

  /** Opens it, and creates it when it does not exist. */
  public static BoundedRepository open(Path directory, GitLimits limits) {
    try {
      RepositoryBuilder builder = new RepositoryBuilder();
      builder.setFS(Isolation.files()).setGitDir(directory.toFile()).setBare().setup();
      BoundedRepository repository = new BoundedRepository(builder, limits);
      if (!repository.getObjectDatabase().exists()) {
        repository.create(true);
        repository.settings();
      }
      return repository;
    } catch (IOException e) {
      throw new GitFailure(
          GitFailure.Kind.BROKEN,
          "the copy of a repository at " + directory + " cannot be used: " + e.getMessage(),
          "Check the disk of the data directory; the copy may be removed, it is made anew.",
          e);
    }
  }

  private void settings() throws IOException {
    FileBasedConfig config = getConfig();
    config.setInt("gc", null, "auto", 0);
    config.setString("core", null, "hooksPath", "/nonexistent");
    config.setInt("protocol", null, "version", 2);
    config.setBoolean("core", null, "symlinks", false);
    config.save();
  }

  /** Disables automatic garbage collection: it would continue in a copy that is already deleted. */
  @Override
  public void autoGC(ProgressMonitor monitor) {
    // the owner of a lasting copy collects garbage itself
  }

  @Override
  public ObjectInserter newObjectInserter() {
    ObjectInserter plain = super.newObjectInserter();
    return new ObjectInserter.Filter() {
      @Override
      protected ObjectInserter delegate() {
        return plain;
      }

      @Override
      public PackParser newPackParser(InputStream in) throws IOException {
        PackParser parser = super.newPackParser(new BoundedStream(in, limits.packBytes()));
        parser.setMaxObjectSizeLimit(limits.objectBytes());
        return parser;
      }
    };
  }
}
