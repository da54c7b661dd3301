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

/** Returns the type and the text of a value that JSON has no form for; null for any other text. */
export function sentValue(value: string): SentValue | null {
  const [, type, text] = ofPython.exec(value) ?? ofJavaScript.exec(value) ?? [];
  return type === undefined || text === undefined ? null : { type, text };
}

/** Types whose values are written in code as they are printed. */
const literals: ReadonlySet<string> = new Set(["int", "float", "enum", "number"]);

/** Returns such a value as its language's code has it: `Decimal("0.19")`. */
export function codeOf({ type, text }: SentValue): string {
  if (literals.has(type)) return text;
  if (type === "bigint") return `${text}n`;
  return `${type === "date" && text.includes("T") ? "new Date" : type}(${JSON.stringify(text)})`;
}
