/** Constructs that are a kind of code of their own. */
export const constructKinds = [
  ...(["class", "function", "self", "member", "index", "spread", "template", "string", "number", "nothing"] as const),
  ...(["pattern", "object", "list", "assign", "choice", "if", "loop", "throw", "try", "return", "await"] as const),
  "import",
] as const;
const operations = ["comparison", "arithmetic", "alternative"] as const;
/** Constructs that are calls of functions that every program may use. */
export const knownCalls = ["lookups", "parsing", "serializing", "computing", "each", "putting"] as const;

/** What code is made of, in any language. A `moduleCall` is outside of functions, as in programs that are started. */
export const constructs = [
  ...constructKinds,
  ...operations,
  ...knownCalls,
  ...(["async", "call", "new", "moduleCall"] as const),
] as const;
export type Construct = (typeof constructs)[number];

/** How often each construct occurs; those that don't are left out. */
export type Composition = ReadonlyMap<Construct, number>;
