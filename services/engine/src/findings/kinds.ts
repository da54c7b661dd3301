type Kinded = { readonly kind: string };

/**
 * The members of a union of the given kinds, in a form that lets the compiler see that a table's entry fits its kind.
 */
export type OfKind<U extends Kinded, K extends U["kind"] = U["kind"]> = {
  readonly [P in K]: { readonly kind: P } & Omit<Extract<U, { readonly kind: P }>, "kind">;
}[K];

/** A table with an entry for each kind of a union's members. */
export type TableOf<U extends Kinded, Made> = { readonly [K in U["kind"]]: (one: OfKind<U, K>) => Made };
