/** What a kind of signal knows to repair, in terms of its arguments; how the code has to change is found in the code. */
export type Remedy =
  /** The result of a call is used, or dropped, before it is there. */
  { readonly by: "await"; readonly callee: string };

export type RemedyName = Remedy["by"];
export type RemedyOf<Name extends RemedyName> = Extract<Remedy, { readonly by: Name }>;
