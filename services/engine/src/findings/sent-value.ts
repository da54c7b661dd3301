/** A value that JSON has no form for, as a client wrote it. */
interface SentValue {
  readonly type: string;
  readonly text: string;
}

/** What the Python client writes: `<Decimal 0.19>`. */
const ofPython =
  /^<(int|float|enum|datetime|date|time|timedelta|Decimal|Fraction|UUID|PosixPath|PurePosixPath|WindowsPath) (.+)>$/s;
/** What the JavaScript client writes: `[date 2026-11-30T13:00:00.000Z]`. */
const ofJavaScript = /^\[(date|bigint|number) (.+)\]$/;

/** How values are printed that are written in code as they are: the text of a program may begin alike. */
const literals: ReadonlyMap<string, RegExp> = new Map([
  ["int", /^-?\d+$/],
  ["float", /^(?:nan|-?inf)$/],
  ["enum", /^[^\s()'"`]+$/],
  ["number", /^(?:NaN|-?Infinity)$/],
  ["bigint", /^-?\d+$/],
]);

/** Returns the type and the text of a value that JSON has no form for; null for any other text. */
export function sentValue(value: string): SentValue | null {
  const [, type, text] = ofPython.exec(value) ?? ofJavaScript.exec(value) ?? [];
  if (type === undefined || text === undefined) return null;
  return literals.get(type)?.test(text) === false ? null : { type, text };
}

/** Returns such a value as its language's code has it: `Decimal("0.19")`. */
export function codeOf({ type, text }: SentValue): string {
  if (type === "bigint") return `${text}n`;
  if (literals.has(type)) return text;
  return `${type === "date" && text.includes("T") ? "new Date" : type}(${JSON.stringify(text)})`;
}
