const textBytesMax = 1_048_576;
const filesMax = 20;

/** One error with as many causes as fit into the longest text: what once cost minutes to investigate. */
export const manyCauses: string =
  `java.lang.E: a\n${"Caused by: java.lang.E: b\n\tat a.b.C(D.java:1)\n".repeat(22_000)}`.slice(0, textBytesMax);

/** Objects in objects, line by line: the longest text that costs the most to read. */
export const nestedObjects: string = '{"a":\n'.repeat(textBytesMax).slice(0, textBytesMax);

/** As many source files as may be attached, each of the longest length, of code that costs the most to look at. */
export function longestFiles(): { name: string; content: string }[] {
  const content = "function f(){return f(f)}\n".repeat(textBytesMax).slice(0, textBytesMax);
  return Array.from({ length: filesMax }, (_, index) => ({ name: `src/f${index}.js`, content }));
}

/** The same, escaped on the wire: the largest body that is valid. */
export function emptyLines(): { name: string; content: string }[] {
  const content = "\n".repeat(textBytesMax);
  return Array.from({ length: filesMax }, (_, index) => ({ name: `src/f${index}.js`, content }));
}

/** An error whose stack leads into {@link longestFiles}. */
export const stackIntoFiles: string = [
  "TypeError: Cannot read properties of undefined (reading 'total')",
  ...Array.from({ length: filesMax }, (_, index) => `    at f (/srv/app/src/f${index}.js:${index + 1}:20)`),
].join("\n");
