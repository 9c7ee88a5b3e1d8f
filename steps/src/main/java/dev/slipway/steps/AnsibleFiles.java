package dev.slipway.steps;

import java.io.IOException;

/** Where the files of a playbook are: on the server or in a pod. */
interface AnsibleFiles {
  /** Writes a file that only the playbook can read; its path. */
  String file(String name, String text) throws IOException;

  /** The path of a file or directory of the provider's, which exists. */
  String ofProvider(String field, String asked) throws IOException;
}
