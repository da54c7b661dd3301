import type { LocatedFrame } from "../findings/located-frame.ts";
import type { ParsedError, ParsedException } from "../findings/parsed-error.ts";
import { type SignatureMatch, typeFamily } from "../findings/signature.ts";
import { type ErrorText, errorText, lineText } from "./error-text.ts";
import { loadSignatures } from "./load-signatures.ts";
import { matchTemplate, type Readable, type TemplateMatch } from "./match-template.ts";
import { describeMatch } from "./signature.ts";
import { type IndexedSignature, SignatureIndex } from "./signature-index.ts";
import type { Template } from "./template.ts";

/** How much of a text without an error is read, at its start and at its end, in UTF-16 units. */
const headUnitsMax = 32_000;
const tailUnitsMax = 32_000;
const linesMax = 600;
/** Longest line that is quoted whole, in UTF-16 units. */
const quotedUnitsMax = 200;

interface Indexes {
  /** The signatures that know more than an error's type. */
  readonly known: SignatureIndex;
  readonly types: SignatureIndex;
}

let indexes: Indexes | undefined;

/**
 * Returns the known failures that the error matches: those of the innermost cause first, then the more specific first,
 * each signature once. If the error itself matches none, the log lines around it are matched; for a text without an
 * error, all its lines. If these match none either, the error's type is. `frames` are the error's, with the source that
 * was given.
 */
export function matchSignatures(error: ParsedError, frames: readonly LocatedFrame[] = []): SignatureMatch[] {
  indexes ??= indexed();
  const { known, types } = indexes;
  const texts = mostTellingFirst(error, frames);
  const found = matchTexts(texts, known);
  if (found.length > 0) return found;
  const ownTypes = new Set(texts.flatMap((text) => [...text.ownTypes]));
  const beside = matchLines(texts.length > 0 ? linesBeside(error) : linesOf(error), known, ownTypes);
  return beside.length > 0 ? beside : matchTexts(texts, types);
}

function indexed(): Indexes {
  const families = [...loadSignatures()];
  const of = (isTypes: boolean): SignatureIndex =>
    new SignatureIndex(families.flatMap(([name, members]) => ((name === typeFamily) === isTypes ? members : [])));
  return { known: of(false), types: of(true) };
}

function matchTexts(texts: readonly ErrorText[], index: SignatureIndex): SignatureMatch[] {
  return once(texts.flatMap((text) => matchesOf(text, index).map(({ match }) => match)));
}

/**
 * Causes come before what they caused. An error that was being handled when another was raised comes after that one: a
 * missing key that is handled isn't the failure. Suppressed errors come last.
 */
function mostTellingFirst({ chain, exceptions }: ParsedError, frames: readonly LocatedFrame[]): ErrorText[] {
  const inner = chain.toReversed().flatMap((position) => {
    const exception = exceptions[position];
    return exception ? [{ position, exception, handled: timesHandled(exception, exceptions) }] : [];
  });
  return inner
    .toSorted((left, right) => left.handled - right.handled)
    .map(({ position, exception }) => errorText(exception, position, frames));
}

/** Returns how many errors were raised while this one was being handled, or infinity for a suppressed one. */
function timesHandled(exception: ParsedException, exceptions: ParsedError["exceptions"]): number {
  let handled = 0;
  for (let one: ParsedException | undefined = exception; one; one = exceptions[one.parent ?? -1]) {
    if (one.relation === "suppressed") return Number.POSITIVE_INFINITY;
    if (one.relation === "context") handled += 1;
  }
  return handled;
}

interface Ordered {
  readonly order: number;
  readonly match: SignatureMatch;
}

/** Returns the signatures that match, without those that another match takes precedence over. */
function matchesOf(text: ErrorText, index: SignatureIndex): Ordered[] {
  const found = index.candidatesFor(text).flatMap((candidate) => {
    const match = matchOne(candidate, text);
    return match ? [{ order: candidate.order, match, over: candidate.signature.over }] : [];
  });
  const outranked = new Set(found.flatMap(({ over }) => over ?? []));
  return found.filter(({ match }) => !outranked.has(match.signature.id));
}

/** Returns the most specific match of all lines first. */
function matchLines(lines: readonly string[], index: SignatureIndex, ownTypes: ReadonlySet<string>): SignatureMatch[] {
  const found = lines.flatMap((line) =>
    matchesOf(lineText(line, ownTypes), index).map(({ order, match }) => ({
      order,
      match: { ...match, matched: line.includes(match.matched) ? match.matched : line.trim().slice(0, quotedUnitsMax) },
    })),
  );
  return once(found.toSorted((left, right) => left.order - right.order).map(({ match }) => match));
}

/** Warnings and errors logged around the error. */
function linesBeside({ headline, records }: ParsedError): string[] {
  const worrying = records.filter(({ level }) => level === "warn" || level === "error" || level === "fatal");
  return [headline, ...worrying.map(({ message }) => message.split("\n", 1)[0] ?? "")];
}

/** The headline, then the first and last lines. */
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

/** A code or the message must match; the type and the surroundings must match as well, if the signature gives any. */
function matchOne({ signature, message, beside, line }: IndexedSignature, text: ErrorText): SignatureMatch | null {
  const { type, code } = signature.match;
  if (signature.language && text.language !== null && text.language !== signature.language) return null;
  const named = type?.find((one) => text.types.has(one));
  if (type && named === undefined) return null;
  const spelled = code?.find((one) => text.codes.has(one));
  const said = firstMatch(message, text);
  if ((code || message.length > 0) && spelled === undefined && !said) return null;
  const around = beside.map((templates) => anyMatch(templates, text.beside));
  if (around.includes(null)) return null;
  if (line.length > 0 && !anyMatch(line, text.line)) return null;
  const words = said ? text.message.text.slice(said.start, said.end) : undefined;
  // The surroundings aren't always printed the way they are spelled here; the type is.
  const [printed = ""] = text.types;
  const matched = words ?? (spelled === undefined ? undefined : text.codes.get(spelled)) ?? named ?? printed;
  const { repeated, emitter } = text;
  const known = { ...(repeated !== null && { repeated }), ...(emitter !== null && { emitter }) };
  const groups: Record<string, string> = Object.assign(known, ...around.map((match) => match?.groups), said?.groups);
  return { signature: describeMatch(signature, groups, text.language), exception: text.exception, matched, groups };
}

function anyMatch(templates: readonly Template[], text: Readable): TemplateMatch | null {
  for (const template of templates) {
    const match = matchTemplate(template, text);
    if (match) return match;
  }
  return null;
}

function firstMatch(templates: readonly Template[], { message, quoted }: ErrorText): TemplateMatch | null {
  for (const template of templates) {
    const match = matchTemplate(template, message);
    if (match && !quoted.some(({ start, end }) => start <= match.start && match.end <= end)) return match;
  }
  return null;
}
