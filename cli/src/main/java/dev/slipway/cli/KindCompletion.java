package dev.slipway.cli;

/**
 * Completion of kinds and names: the shell asks the server's table when a person presses the key,
 * so that kinds which come later are known, too.
 */
final class KindCompletion {
  /** Verbs whose first word is a kind, or may be one. */
  static final String VERBS = "get describe delete wait explain graph";

  /**
   * Completes what belongs to a kind, and leaves everything else to the function before it. The
   * shell would expand names with a dollar sign, so such names are left out.
   */
  static final String BASH =
      """

      # Kinds and names of objects, as the server knows them.
      function _slipway_known() {
        slipway get "$@" -o name 2>/dev/null </dev/null | grep -E '^[A-Za-z0-9._/-]+$'
      }
      function _slipway_objects() {
        local word="${COMP_WORDS[COMP_CWORD]}" verb="${COMP_WORDS[1]:-}" found=""
        if [[ " %s " == *" $verb "* && "$word" != -* ]]; then
          if [ "$COMP_CWORD" -eq 2 ]; then
            found=$(_slipway_known)
            case "$verb" in wait|explain|graph) found="$found $(_slipway_known --alone)" ;; esac
          elif [ "$COMP_CWORD" -eq 3 ] && [[ "${COMP_WORDS[2]}" != -* ]]; then
            found=$(_slipway_known "${COMP_WORDS[2]}")
          fi
        fi
        if [ -n "${found// /}" ]; then
          COMPREPLY=( $(compgen -W "$found" -- "$word") )
        else
          _complete_slipway
        fi
      }
      complete -F _slipway_objects -o default slipway slipway.sh slipway.bash
      """
          .formatted(VERBS);

  static final String FISH =
      """
      complete -c slipway -f -n '__fish_seen_subcommand_from %1$s; and test (count (commandline -opc)) -eq 2' -a '(slipway get -o name 2>/dev/null)'
      complete -c slipway -f -n '__fish_seen_subcommand_from %1$s; and test (count (commandline -opc)) -eq 3' -a '(slipway get (commandline -opc)[3] -o name 2>/dev/null)'
      """
          .formatted(VERBS);

  private KindCompletion() {}
}
