/** What Python's `repr` writes for values that JSON has, too. */
const constants: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["None", null],
  ["True", true],
  ["False", false],
]);

const number = /^-?\d{1,15}(?:\.\d{1,15})?$/;
const quoted = /^(?:'([^'\\]*)'|"([^"\\]*)")$/s;

/**
 * Returns the value that Sentry's client for Python wrote with `repr`: `None`, a number, or a text in quotes. Anything
 * else stays the text that it is.
 */
export function pythonValue(text: string): unknown {
  if (constants.has(text)) return constants.get(text);
  if (number.test(text)) return Number(text);
  const inner = quoted.exec(text);
  return inner ? (inner[1] ?? inner[2]) : text;
}
