type Kinded = { readonly kind: string };

/** The members of a union that have one of some kinds, in a form in which a table's entry is known to fit its kind. */
export type OfKind<U extends Kinded, K extends U["kind"] = U["kind"]> = {
  readonly [P in K]: { readonly kind: P } & Omit<Extract<U, { readonly kind: P }>, "kind">;
}[K];

/** What is made of each member of a union, by its kind. */
export type TableOf<U extends Kinded, Made> = { readonly [K in U["kind"]]: (one: OfKind<U, K>) => Made };
