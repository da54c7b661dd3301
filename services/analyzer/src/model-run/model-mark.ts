/** Ends the mark of an incident's evidence once a model has been asked about it. */
const asked = " model";

/** The evidence mark, without whether a model was asked. */
export function evidenceOf(mark: string | null): string {
  return wasModelAsked(mark) ? (mark ?? "").slice(0, -asked.length) : (mark ?? "");
}

/** Returns whether a model was asked about the evidence. */
export function wasModelAsked(mark: string | null): boolean {
  return mark?.endsWith(asked) ?? false;
}

/** Adds that a model was asked. */
export function markAsked(mark: string): string {
  return `${mark}${asked}`;
}
