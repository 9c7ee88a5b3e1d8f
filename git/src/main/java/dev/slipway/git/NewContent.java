package dev.slipway.git;

import org.eclipse.jgit.dircache.DirCacheEditor;
import org.eclipse.jgit.dircache.DirCacheEntry;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;

/** An entry of the index that gets other content, and a mode if the edit names one. */
final class NewContent extends DirCacheEditor.PathEdit {
  private final Edit.Write write;
  private final ObjectId content;

  NewContent(String path, Edit.Write write, ObjectId content) {
    super(path);
    this.write = write;
    this.content = content;
  }

  @Override
  public void apply(DirCacheEntry entry) {
    boolean fresh = entry.getRawMode() == 0;
    if (write.mode() != null) {
      entry.setFileMode(write.mode());
    } else if (fresh) {
      entry.setFileMode(FileMode.REGULAR_FILE);
    }
    entry.setObjectId(content);
  }
}
