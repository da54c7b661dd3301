/** What a kind of signal knows to repair, in terms of its arguments; how the code has to change is found in the code. */
export type Remedy =
  /** The result of a call is used, or dropped, before it is there. */
  | { readonly by: "await"; readonly callee: string }
  /** A module declares a name and doesn't export it. */
  | { readonly by: "export"; readonly name: string }
  /** A function whose result is used ends without returning it. */
  | { readonly by: "return" }
  /** A key is read that nothing sets, spelled differently from one that something does. */
  | { readonly by: "key"; readonly name: string }
  /** A class reads a field that it never sets. */
  | { readonly by: "field"; readonly name: string }
  /** An object lacks an entry that is read later; `code` is the object as the signal quotes it. */
  | { readonly by: "entry"; readonly name: string; readonly code: string }
  /** A call doesn't pass a parameter what it expects; empty for one that only a pattern names. */
  | { readonly by: "arguments"; readonly parameter: string }
  /** A variable has no value, which functions beside this one check where they take the same. */
  | { readonly by: "guard"; readonly name: string }
  /** A function acquires something without releasing it. */
  | { readonly by: "release"; readonly acquire: string }
  /** All calls share the default of a parameter. */
  | { readonly by: "default"; readonly name: string }
  /** A value loses its type on a way through JSON; null where the type isn't known. */
  | { readonly by: "type"; readonly parse: string; readonly type: string | null };

export type RemedyName = Remedy["by"];
export type RemedyOf<Name extends RemedyName> = Extract<Remedy, { readonly by: Name }>;
