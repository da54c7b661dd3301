/** A word of a line that says that something failed. */
export const telling =
  /\b(?:error|fail|failed|failure|fatal|panic|exception|refused|timed? ?out|denied|cannot|killed)/i;
