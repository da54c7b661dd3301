const textBytesMax = 1_048_576;
const filesMax = 20;

/** One error with as many causes as fit into the longest text, which once took minutes to investigate. */
export const manyCauses: string =
  `java.lang.E: a\n${"Caused by: java.lang.E: b\n\tat a.b.C(D.java:1)\n".repeat(22_000)}`.slice(0, textBytesMax);

/** Nested objects, line by line: the longest text that is the most expensive to parse. */
export const nestedObjects: string = '{"a":\n'.repeat(textBytesMax).slice(0, textBytesMax);

/**
 * Returns the maximum number of source files, each of the maximum length, with the code that is the most expensive to
 * analyze.
 */
export function longestFiles(): { name: string; content: string }[] {
  const content = "function f(){return f(f)}\n".repeat(textBytesMax).slice(0, textBytesMax);
  return Array.from({ length: filesMax }, (_, index) => ({ name: `src/f${index}.js`, content }));
}

/** Returns the same, escaped on the wire: the largest valid body. */
export function emptyLines(): { name: string; content: string }[] {
  const content = "\n".repeat(textBytesMax);
  return Array.from({ length: filesMax }, (_, index) => ({ name: `src/f${index}.js`, content }));
}

/** An error whose stack leads into {@link longestFiles}. */
export const stackIntoFiles: string = [
  "TypeError: Cannot read properties of undefined (reading 'total')",
  ...Array.from({ length: filesMax }, (_, index) => `    at f (/srv/app/src/f${index}.js:${index + 1}:20)`),
].join("\n");
