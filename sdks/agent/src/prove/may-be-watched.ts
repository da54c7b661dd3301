import type { WatchPlace } from "@whence/protocol";

/** Code that a watch of Node.js or Python may stop in. */
const watched = /\.(?:[cm]?[jt]sx?|vue|svelte|pyw?)\b/i;
/** Code of other languages. */
const unwatched = /\.(?:go|java|kts?|scala|groovy|clj|rb|php|rs|cs|fs|c|cc|cpp|h|exs?|erl|swift|dart|pl|lua)\b/i;

/**
 * Returns whether a watched run may show anything of a failure: one of its places is in code that can be watched, or,
 * where none is named, what the command printed doesn't name code of other languages only.
 */
export function mayBeWatched(places: readonly WatchPlace[], output: string): boolean {
  if (places.length > 0) return places.some(({ file }) => watched.test(file));
  return watched.test(output) || !unwatched.test(output);
}
