import type { Clue } from "../findings.ts";

/** What an HTTP answer has besides its body. */
const envelope: ReadonlySet<string> = new Set(["ok", "status", "statusCode", "statusText", "headers", "body", "data"]);

/**
 * The first field that is read of what came from outside, or of what another part made without it: where its shape is
 * taken for granted.
 */
export function markAnswerFields(clues: readonly Clue[]): Clue[] {
  const marked = [...clues];
  for (const [index, { how, steps, subject }] of clues.entries()) {
    if (how === "outside-answer") markFirstField(marked, index, steps);
    if (how === "missing-key") markReader(marked, index, subject);
  }
  return marked;
}

/** A field of which the elements were gone through was there: then it is the first that is read of an element. */
function markFirstField(marked: Clue[], index: number, steps: number): void {
  let depth = steps;
  let first: number | null = null;
  let isOfElement = true;
  for (let at = index - 1; at >= 0; at--) {
    const clue = marked[at];
    if (!clue || clue.steps >= depth) continue;
    depth = clue.steps;
    if (clue.how === "answer-field") return;
    if (clue.how === "iteration") isOfElement = true;
    else if (clue.how === "property" && isField(clue.subject) && isOfElement) {
      first = at;
      isOfElement = false;
    }
  }
  const found = first === null ? undefined : marked[first];
  if (first !== null && found) marked[first] = { ...found, how: "answer-field" };
}

/** A field, and neither a part of the answer around its body nor a method of lists. */
function isField(name: string): boolean {
  return name !== "" && !envelope.has(name) && !(name in Array.prototype);
}

/** `order.total` where the object was made without a `total`: the reader expects another shape. */
function markReader(marked: Clue[], index: number, key: string): void {
  const maker = marked[index];
  for (let at = index - 1; at >= 0; at--) {
    const clue = marked[at];
    if (!maker || !clue || clue.how !== "property" || clue.subject !== key || clue.steps >= maker.steps) continue;
    if (clue.place.file !== maker.place.file && clue.says.endsWith("is read here"))
      marked[at] = { ...clue, how: "answer-field" };
    return;
  }
}
