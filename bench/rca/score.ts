import { pathIn } from "./case-tree.ts";
import type { Place, RecordedCase } from "./cases.ts";

/** An answer of the service or a baseline. */
export interface Prediction {
  readonly ranked: readonly {
    readonly file: string;
    readonly function?: string | null;
    readonly line?: number | null;
  }[];
  readonly category?: string;
  readonly text?: string;
  /** The confidence in the first file. */
  readonly confidence?: number;
  /** In the report's order. */
  readonly candidates?: readonly { readonly file: string | undefined; readonly score: number }[];
}

/** The scores of one case; null where the measure doesn't apply. */
export interface Row {
  readonly id: string;
  readonly kind: string;
  readonly depth: string;
  readonly file1: boolean;
  readonly file3: boolean;
  readonly function1: boolean | null;
  readonly function3: boolean | null;
  readonly category: boolean | null;
  readonly keywords: number | null;
  readonly confidence: number | null;
}

/** A line this close to the known one also counts, since a statement has several. */
const linesApart = 3;

/** By the rules of the benchmark: what is right for a file, a function, a category and an explanation. */
export function scoreCase(rca: RecordedCase, prediction: Prediction): Row {
  const right = placesOf(rca);
  const isFile = ({ file }: Prediction["ranked"][number]): boolean => isRightFile(rca, file);
  const among = (n: number, test: (place: Prediction["ranked"][number]) => boolean): boolean =>
    prediction.ranked.slice(0, n).some(test);
  const isFunction = (place: Prediction["ranked"][number]): boolean =>
    right.some(
      (one) =>
        one.file === pathIn(rca.tree, place.file) &&
        (isSameName(place.function, one.function) || isNear(place.line, one)),
    );
  const { category } = rca.truth;
  const isKnown = category !== "" && prediction.category !== undefined;
  const hasFunction = rca.truth.function !== "";
  return {
    id: rca.id,
    kind: rca.kind,
    depth: rca.truth.depth > 0 ? ">=1" : String(rca.truth.depth),
    file1: among(1, isFile),
    file3: among(3, isFile),
    function1: hasFunction ? among(1, isFunction) : null,
    function3: hasFunction ? among(3, isFunction) : null,
    category: isKnown ? [category, ...category.split("/")].includes(prediction.category ?? "") : null,
    keywords: prediction.text === undefined ? null : keywordRecall(prediction.text, rca.truth.keywords),
    confidence: prediction.confidence ?? null,
  };
}

/** Whether a file, as a log or an answer names it, counts as right. */
export function isRightFile(rca: RecordedCase, named: string): boolean {
  const path = pathIn(rca.tree, named);
  return placesOf(rca).some(({ file }) => file === path);
}

/** Every place that counts as right: another file only where either can be fixed. */
export function placesOf({ truth, also }: RecordedCase): Place[] {
  const accepted = also.filter(({ file, strict }) => strict === true || file === truth.file);
  return [truth, ...accepted.map((place) => ({ ...truth, function: "", ...place }))];
}

function isSameName(said: string | null | undefined, known: string): boolean {
  return lastNameOf(known) !== "" && lastNameOf(said ?? "") === lastNameOf(known);
}

/** Returns `get` for `async Request.get [as handler]`. */
export function lastNameOf(name: string): string {
  return (
    name
      .replace(/\s*\[as [^\]]*\]/, "")
      .replace(/^(?:async|new)\s+/, "")
      .split(".")
      .at(-1)
      ?.replace(/[^\w$<>]/g, "") ?? ""
  );
}

function isNear(line: number | null | undefined, place: Place): boolean {
  return typeof line === "number" && line >= place.line_start - linesApart && line <= place.line_end + linesApart;
}

/**
 * Returns the share of the concepts that an explanation mentions. `a|b` matches either; short ones match only as a
 * whole word.
 */
function keywordRecall(text: string, keywords: readonly string[]): number {
  const flat = (words: string): string =>
    words
      .toLowerCase()
      .normalize("NFKD")
      .replace(/[\s_\-`'"]+/g, " ");
  const spaced = ` ${flat(text)} `;
  const tight = spaced.replaceAll(" ", "");
  const isMet = (keyword: string): boolean => {
    const wanted = flat(keyword).trim();
    if (wanted.length > 3) return spaced.includes(wanted) || tight.includes(wanted.replaceAll(" ", ""));
    return spaced.split(/[^a-z0-9]+/).includes(wanted);
  };
  return average(keywords.map((keyword) => Number(keyword.split("|").some(isMet)))) ?? 0;
}

function average(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
