import type { WatchPlace } from "@whence/protocol";

/** A file that a watch of Node.js or Python may stop in. */
const watched = /\.(?:[cm]?[jt]sx?|vue|svelte|pyw?)\b/i;
const otherLanguages = "(?:go|java|kts?|scala|groovy|clj|rb|php|rs|cs|fs|c|cc|cpp|h|exs?|erl|swift|dart|pl|lua)";
const otherFile = new RegExp(String.raw`\.${otherLanguages}$`, "i");
/** A line of a file of another language: `main.go:3`, `Main.cs:line 3`, `cart.php(3)`, `cart.php on line 3`. */
const otherLine = new RegExp(String.raw`\.${otherLanguages}(?::(?:line )?\d|\(\d| (?:on |at )?line \d)`, "i");

/**
 * Returns whether a watched run may show anything of a failure: not all of its places are in files of other languages,
 * or, where none is named, what the command printed doesn't name lines of these only.
 */
export function mayBeWatched(places: readonly WatchPlace[], output: string): boolean {
  if (places.length > 0) return places.some(({ file }) => !otherFile.test(file));
  return watched.test(output) || !otherLine.test(output);
}
