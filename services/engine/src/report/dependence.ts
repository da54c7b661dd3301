import type { Location } from "@whence/protocol";
import type { CodePlace } from "../findings/located-frame.ts";
import type { PlaceSubject } from "../signals/subject.ts";
import { isCommonMethod } from "../source/common-methods.ts";
import { innermostSpan, type SourceText } from "../source/source-text.ts";
import type { SlicePiece } from "../trace/slice/backward-slice.ts";
import type { CodeFunction, Traced } from "../trace/traced.ts";

/** How other code, on which a failure depends, depends on a place. */
export interface Dependence<Place extends Location = Location> {
  /** What the place is to the other code. */
  readonly kind: Exclude<SlicePiece["kind"], "frame" | "condition" | "before">;
  /** The variable, parameter, field, or function as the other code names it, or a file's folder; null for a file's name. */
  readonly name: string | null;
  /** The other code. */
  readonly dependent: Place;
  /** Present if the other code calls the place's method by its class, as in `Plans.of(…)` or `new Plans(…)`. */
  readonly isSpelled?: true;
}

/**
 * Returns why a failure depends on a place: from the strongest pieces of its backward slice there, the nearest code
 * elsewhere that depends on them. Null where there is none.
 */
export function dependenceOn(
  { source, line, function: name }: PlaceSubject,
  traced: Traced,
): Dependence<CodePlace> | null {
  if (!source) return null;
  const own = line === null ? null : functionAt(source, source.codeStart(line), traced);
  // Functions within the place's own are part of it.
  const isHere = (piece: SlicePiece): boolean => {
    if (piece.source !== source || line === null) return piece.source === source;
    return own ? own.start <= piece.start && piece.start <= own.end : source.lineAt(piece.start) === line;
  };
  const inside = traced.slice.get(source)?.filter(isHere) ?? [];
  for (const piece of inside.toSorted((left, right) => right.weight - left.weight)) {
    const found = leavingFrom(piece, isHere, traced);
    if (!found || isCommonName(found, traced)) continue;
    const { dependent } = found;
    const isSpelled = name !== null && isCalledIn(dependent.source.line(dependent.line), name);
    return { ...found, ...(isSpelled && { isSpelled }) };
  }
  return null;
}

/** The constructor of a class, by the name that its language gives it. */
const constructed = /(\w+)\.(?:<init>|__init__|constructor|initialize)$/;

/** Returns whether a line calls a method by its class, or makes an object of it. */
function isCalledIn(line: string, name: string): boolean {
  const [, made] = constructed.exec(name) ?? [];
  return line.includes(`${name}(`) || (made !== undefined && new RegExp(`\\b${made}(?:\\.new\\b|\\s*\\()`).test(line));
}

/** A field that so many files set ties none of them to a failure: those that do hold the cause no more often. */
const filesOfFieldMin = 3;

function isCommonName({ kind, name }: Dependence, traced: Traced): boolean {
  if (kind === "named" || kind === "user") return isCommonMethod(name ?? "");
  return kind === "field" && isCommonField(name ?? "", traced);
}

function isCommonField(name: string, { files }: Traced): boolean {
  const field = name.split(".").at(-1) ?? name;
  const set = new RegExp(`(?<![\\w$])["']?${field.replace(/[^\w]/g, "\\$&")}["']?\\s*(?:[:,}]|=(?!=))`);
  const setting = files.filter(({ source }) => source.text.includes(field) && set.test(source.text));
  return setting.length >= filesOfFieldMin;
}

/** Follows a piece to what depends on it, until that is elsewhere. */
function leavingFrom(
  piece: SlicePiece,
  isHere: (piece: SlicePiece) => boolean,
  traced: Traced,
): Dependence<CodePlace> | null {
  for (let at = piece; at.dependent; at = at.dependent) {
    const { kind, name, dependent, neededAt } = at;
    if (isHere(dependent)) continue;
    if (kind === "frame" || kind === "condition" || kind === "before") return null;
    return { kind, name, dependent: placeOf(dependent, neededAt, traced) };
  }
  return null;
}

function placeOf({ source, start }: SlicePiece, neededAt: number, traced: Traced): CodePlace {
  const name = functionAt(source, start, traced)?.name ?? null;
  return { file: source.name, line: source.lineAt(neededAt), function: name, source };
}

function functionAt(source: SourceText, start: number, { files }: Traced): CodeFunction | null {
  return innermostSpan(files.find((file) => file.source === source)?.functions ?? [], start);
}
