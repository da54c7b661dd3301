import type { ParsedError, SignatureMatch } from "../findings.ts";
import { signatures } from "./families.ts";
import { matchTemplate, type Readable, type TemplateMatch } from "./match-template.ts";
import { type IndexedSignature, SignatureIndex } from "./signature-index.ts";
import { type Subject, subjectOf, subjectOfLine } from "./subject.ts";
import type { Template } from "./template.ts";

/** How much of a text without an error is read: its beginning, and its end. */
const headUnitsMax = 32_000;
const tailUnitsMax = 32_000;
const linesMax = 600;
/** Longest line that is quoted whole. */
const quotedUnitsMax = 200;

const index = new SignatureIndex(signatures);

/**
 * The known failures that the error matches, those of the innermost cause first, then the more telling first, each
 * signature once. When no error is known, the lines beside it, or all lines of a text without an error, are matched.
 */
export function matchSignatures(error: ParsedError): SignatureMatch[] {
  const subjects = innermostFirst(error);
  const found = once(subjects.flatMap((subject) => matchesOf(subject).map(({ match }) => match)));
  return found.length > 0 ? found : matchLines(subjects.length > 0 ? linesBeside(error) : linesOf(error));
}

/** What was set aside while another error was on its way tells least. */
function innermostFirst({ chain, exceptions }: ParsedError): Subject[] {
  const inner = chain.toReversed().flatMap((position) => {
    const exception = exceptions[position];
    return exception ? [{ position, exception }] : [];
  });
  const ordered = [
    ...inner.filter(({ exception }) => exception.relation !== "suppressed"),
    ...inner.filter(({ exception }) => exception.relation === "suppressed"),
  ];
  return ordered.map(({ position, exception }) => subjectOf(exception, position));
}

interface Ordered {
  readonly order: number;
  readonly match: SignatureMatch;
}

function matchesOf(subject: Subject): Ordered[] {
  return index.candidatesFor(subject).flatMap((candidate) => {
    const match = matchOne(candidate, subject);
    return match ? [{ order: candidate.order, match }] : [];
  });
}

/** Of all lines the most telling match first. */
function matchLines(lines: readonly string[]): SignatureMatch[] {
  const found = lines.flatMap((line) =>
    matchesOf(subjectOfLine(line)).map(({ order, match }) => ({
      order,
      match: { ...match, matched: line.includes(match.matched) ? match.matched : line.trim().slice(0, quotedUnitsMax) },
    })),
  );
  return once(found.toSorted((left, right) => left.order - right.order).map(({ match }) => match));
}

/** What was logged around an error, but for what was logged as nothing to worry about. */
function linesBeside({ headline, records }: ParsedError): string[] {
  const worrying = records.filter(({ level }) => level === "warn" || level === "error" || level === "fatal");
  return [headline, ...worrying.map(({ message }) => message.split("\n", 1)[0] ?? "")];
}

/** The line that tells most, then the first and the last ones. */
function linesOf({ headline, sources }: ParsedError): string[] {
  const texts = sources.flatMap(({ text }) =>
    text.length <= headUnitsMax + tailUnitsMax ? [text] : [text.slice(0, headUnitsMax), text.slice(-tailUnitsMax)],
  );
  const lines = texts.flatMap((text) => text.split(/\r?\n/)).filter((line) => line.trim() !== "");
  const read = lines.length <= linesMax ? lines : [...lines.slice(0, linesMax / 2), ...lines.slice(-linesMax / 2)];
  return [headline, ...read];
}

function once(matches: readonly SignatureMatch[]): SignatureMatch[] {
  const seen = new Set<string>();
  return matches.filter(({ signature: { id } }) => !seen.has(id) && seen.add(id));
}

/** A code or the message must match; the type and what stands beside must match too. */
function matchOne({ signature, message, beside }: IndexedSignature, subject: Subject): SignatureMatch | null {
  const { type, code } = signature.match;
  const named = type?.find((one) => subject.types.has(one));
  if (type && named === undefined) return null;
  const spelled = code?.find((one) => subject.codes.has(one));
  const said = firstMatch(message, subject.message);
  if ((code || message.length > 0) && spelled === undefined && !said) return null;
  const around = beside.map((template) => matchTemplate(template, subject.beside));
  if (around.includes(null)) return null;
  const words = said ? subject.message.text.slice(said.start, said.end) : undefined;
  // What stands beside an error is not always printed as it is written here; its type is.
  const [printed = ""] = subject.types;
  const matched = words ?? (spelled === undefined ? undefined : subject.codes.get(spelled)) ?? named ?? printed;
  const groups = Object.assign({}, ...around.map((match) => match?.groups), said?.groups);
  return { signature, exception: subject.exception, matched, groups };
}

function firstMatch(templates: readonly Template[], text: Readable): TemplateMatch | null {
  for (const template of templates) {
    const match = matchTemplate(template, text);
    if (match) return match;
  }
  return null;
}
