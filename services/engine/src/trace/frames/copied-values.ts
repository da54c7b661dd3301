/** Values of the variables that are looked at, and how deep they are nested. */
const valuesMax = 400;
const depthMax = 4;
/** Under this key, the client says which class an object is of. */
const typeKey = "<type>";

/** A value in the local variables of a frame, as the client copied it. */
export interface CopiedValue {
  /** The variable, field, key, or index under which it is. */
  readonly name: string;
  /** The class of the object that it is a field of; null for others. */
  readonly className: string | null;
  readonly value: unknown;
}

/** Returns the values in some variables, the outer ones first. */
export function copiedValues(variables: unknown): CopiedValue[] {
  const found: CopiedValue[] = [];
  const pending = [{ value: variables, depth: 0 }];
  for (let at = pending.shift(); at !== undefined && found.length < valuesMax; at = pending.shift()) {
    const { value, depth } = at;
    if (typeof value !== "object" || value === null || depth > depthMax) continue;
    const entries = Object.entries(value);
    const type = entries.find(([key]) => key === typeKey)?.[1];
    const className = typeof type === "string" ? (type.split(".").at(-1) ?? type) : null;
    for (const [name, inner] of entries) {
      if (name !== typeKey) found.push({ name, className, value: inner });
      pending.push({ value: inner, depth: depth + 1 });
    }
  }
  return found;
}
