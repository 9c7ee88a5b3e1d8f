package dev.slipway.git;

import dev.slipway.git.GitFailure.Kind;
import java.io.IOException;
import java.util.Map;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheBuilder;
import org.eclipse.jgit.dircache.DirCacheEditor;
import org.eclipse.jgit.dircache.DirCacheEntry;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.ObjectReader;

/** Computes the tree of a commit with some files changed, without a working copy. */
record EditedTree(BoundedRepository repository, ObjectInserter inserter, ObjectId base) {
  static final ObjectId EMPTY = ObjectId.fromString("4b825dc642cb6eb9a060e54bf8d69288fbee4904");

  /** The new tree's id. */
  ObjectId with(Map<String, Edit> edits) throws IOException {
    DirCache files = DirCache.newInCore();
    DirCacheBuilder builder = files.builder();
    if (!base.equals(EMPTY)) {
      try (ObjectReader reader = repository.newObjectReader()) {
        builder.addTree(new byte[0], DirCacheEntry.STAGE_0, reader, base);
      }
    }
    builder.finish();
    DirCacheEditor editor = files.editor();
    for (Map.Entry<String, Edit> entry : edits.entrySet()) {
      String path = Edit.path(entry.getKey());
      switch (entry.getValue()) {
        case Edit.Write write -> {
          check(files, path);
          editor.add(
              new NewContent(path, write, inserter.insert(Constants.OBJ_BLOB, write.content())));
        }
        case Edit.Remove() -> {
          editor.add(new DirCacheEditor.DeletePath(path));
          editor.add(new DirCacheEditor.DeleteTree(path));
        }
      }
    }
    editor.finish();
    ObjectId tree = files.writeTree(inserter);
    inserter.flush();
    return tree;
  }

  /** Rejects a link or a directory at the path, which Git would replace without an error. */
  private static void check(DirCache files, String path) {
    for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
      if (files.findEntry(path.substring(0, slash)) >= 0) {
        throw inTheWay(path, path.substring(0, slash), "no directory");
      }
    }
    DirCacheEntry there = files.getEntry(path);
    if (files.getEntriesWithin(path).length > 0 && there == null) {
      throw inTheWay(path, path, "a directory");
    }
    if (there != null
        && there.getFileMode() != FileMode.REGULAR_FILE
        && there.getFileMode() != FileMode.EXECUTABLE_FILE) {
      throw inTheWay(path, path, "a link");
    }
  }

  private static GitFailure inTheWay(String path, String other, String what) {
    return new GitFailure(
        Kind.CONFLICT,
        "'" + path + "' cannot be written: '" + other + "' is " + what + " in the repository",
        "Write somewhere else, or remove it first.");
  }
}
