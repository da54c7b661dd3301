/** A word of a line that says that something failed; databases translate theirs. */
export const telling =
  /\b(?:error|fail|failed|failure|fatal|panic|exception|refused|timed? ?out|denied|cannot|killed|could(?: not|n't)|unable to|unbound|crashed|aborted|unreachable|exhausted|fehler|erreur|erro)/i;
