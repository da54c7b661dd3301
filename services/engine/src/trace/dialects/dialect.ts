/** What is to be known about a language beyond the shape of its code: tables of well-known words, and habits. */
export interface Dialect {
  /** The names of its files. */
  readonly endings: RegExp;
  /** Names of what makes an object of a class, as a method of it. */
  readonly constructors: ReadonlySet<string>;
  /** How an object of a class is made: `new C()`, `C.new()`, or `C()` where the name begins in upper case. */
  readonly construction: "new-operator" | "new-method" | "call";
  /** The names that a module gives to others: those in its list of exports, or those spelled like this. */
  readonly exports: "listed" | RegExp;
  /**
   * What a name means that its file doesn't declare: a global of the runtime; a name of a file of the same folder; of any
   * file; or, where a module can import all names of another, a class or function of any file.
   */
  readonly undeclared: "global" | "of-folder" | "of-any-file" | "imported-unnamed";
  /** Whether a variable belongs to its block or to its function. */
  readonly scopes: "block" | "function";
  /** The first parameter of a method is the object, which callers don't write. */
  readonly hasSelfParameter: boolean;
  /** The last expression of a function is what it returns. */
  readonly returnsLast: boolean;
  /** A function can end without a `return`, and then gives nothing. */
  readonly endsSilently: boolean;
  /** Bare names can be fields or methods of the object. */
  readonly hasImplicitSelf: boolean;
  /** A call without arguments may only read a field: `order.total`, `order.getTotal()`. */
  readonly readsFieldsByCalls: boolean;
  /** A method that takes nothing but the object can be read like a field. */
  readonly readsMethodsAsFields: boolean;
  /** Methods stand outside of their type, in any file of its package. */
  readonly hasMethodsOutside: boolean;
  /** Names that begin in upper case are classes. */
  readonly capitalsAreClasses: boolean;
  /** Whether calls may have to be awaited, and whether what they give is a promise with methods of its own. */
  readonly waiting: "none" | "await" | "promises";
  /** Objects emit events to functions that were registered by name. */
  readonly hasEmitters: boolean;
  /** `map(function, list)`: what hands out elements takes the list as an argument. */
  readonly givesListToEach: boolean;
  /** An error keeps what was being handled when it was raised. */
  readonly keepsHandledErrors: boolean;
  /** Calls that raise an error, as `panic(…)`. */
  readonly raising: ReadonlySet<string>;
  /** Calls that make an error which something else raises or returns. */
  readonly errorMaking: RegExp;
  readonly calls: KnownCalls;
  /** What reads an environment variable, as written; the first group is its name. */
  readonly environment: RegExp;
}

/** What calls are known for that can't be looked into, by the last part of their name. */
export interface KnownCalls {
  /** They give nothing when they find nothing. */
  readonly lookups: ReadonlySet<string>;
  /** They hand on what they are given, or what they are called on. */
  readonly handOn: ReadonlySet<string>;
  /** They turn a text into data. */
  readonly parsing: ReadonlySet<string>;
  /** Methods of an answer, or of an incoming request, that give its body. */
  readonly bodies: ReadonlySet<string>;
  /** Functions that send an HTTP request and answer with any status. */
  readonly requests: ReadonlySet<string>;
  /** Objects whose methods do. */
  readonly httpClients: ReadonlySet<string>;
  /** What they give comes from outside of the process. */
  readonly outside: ReadonlySet<string>;
  /** They turn a value into another: a good one can become a bad one. */
  readonly computing: ReadonlySet<string>;
  /** They hand the elements of what they are called on to the function that they are given. */
  readonly each: ReadonlySet<string>;
  /** They put a value under a key: `put(…, key, value)`. */
  readonly putting: ReadonlySet<string>;
}

/** The words of a text, as a set. */
export function words(text: string): ReadonlySet<string> {
  return new Set(text === "" ? [] : text.split(" "));
}

/** What the names of errors end in, in most languages. */
export const errorNames = /(?:Error|Exception|Fault|Failure)$/;
