import { lineWidthMin } from "../words/prose.ts";
import type { ReadableLine } from "./readable-line.ts";

/** A call of Python that ends where its line was broken: after the file, `line`, its number, or `in`, or within a name. */
const broken = /^\s*File "[^"]{1,1000}",(?: line(?: \d{1,9},(?: in)?)?)?$/;
const brokenName = /^\s*File "[^"]{1,1000}", line \d{1,9}, in [\w<]{1,200}$/;
/** A call of Python after whose `File` the line was broken, as its path is long, and what stands below. */
const brokenFile = /^\s*File$/;
const fileBelow = /^\s*"[^"]{1,1000}", ?(?:line(?: \d{1,9},(?: in(?: .{1,300})?)?)?)?$/;
/** What stands below, by the word that the line above ends with. */
const place = /^line \d{1,9}, in(?: .{1,300})?$/;
const numbered = /^\d{1,9}, in(?: .{1,300})?$/;
const inName = /^in .{1,300}$/;
const name = /^[\w<>]{1,200}$/;

const callUnitsMax = 1_000;
/** The name of a call of Go, arguments that go on in the next line, and what stands there. */
const called = /^\s*[\w./·~%*()[\]{}-]{1,400}$/;
const openArguments = /^(?=.{0,40}0x)[{}\dxa-f?_., ]{1,1000},$/;
const moreArguments = /^[{}\dxa-f?_., ]{1,400}[,)]$/;
/** Its place without the offset, and the offset. */
const brokenPlace = /^\s+\S{1,1000}\.(?:go|s):\d{1,9}$/;
const offset = /^\+0x[\da-f]{1,16}$/;
/** A call of the JVM after whose `at` the line was broken, and what stands below. */
const brokenAt = /^\s*at$/;
const jvmCall = /^[\w$./<>-]{1,400}\([\w$ .-]{1,200}(?::\d{1,7})?\)$/;

/** Joins the calls that were broken at the width of a terminal or an email. */
export function unwrapped(lines: readonly ReadableLine[]): readonly ReadableLine[] {
  const read: ReadableLine[] = [];
  for (const line of lines) {
    const last = read.at(-1);
    const separator = last ? separatorOf(last.text, line.text) : null;
    if (last && separator !== null) read[read.length - 1] = joined(last, line, separator);
    else read.push(line);
  }
  return read;
}

/** Returns what stood between two lines; null when they are lines of their own. */
function separatorOf(above: string, below: string): string | null {
  if (brokenPlace.test(above)) return offset.test(below) ? " " : null;
  if (brokenAt.test(above)) return jvmCall.test(below.trim()) ? " " : null;
  if (isBrokenCall(above)) return moreArguments.test(below) ? " " : null;
  if (brokenFile.test(above)) return fileBelow.test(below) ? " " : null;
  if (!above.includes('File "')) return null;
  if (broken.test(above)) return expectedBelow(above).test(below.trim()) ? " " : null;
  return above.length >= lineWidthMin && brokenName.test(above) && name.test(below) ? "" : null;
}

function isBrokenCall(text: string): boolean {
  if (!text.endsWith(",") || text.length > callUnitsMax) return false;
  const open = text.lastIndexOf("(");
  return called.test(text.slice(0, Math.max(open, 0))) && openArguments.test(text.slice(open + 1));
}

function expectedBelow(above: string): RegExp {
  if (above.endsWith(" in")) return name;
  if (above.endsWith(" line")) return numbered;
  return above.endsWith('",') ? place : inName;
}

function joined(above: ReadableLine, below: ReadableLine, separator: string): ReadableLine {
  return {
    ...above,
    text: `${above.text}${separator}${separator === "" ? below.text : below.text.trim()}`,
    printed: { start: above.printed.start, end: below.printed.end },
    verbatimAt: null,
  };
}
