import type { DataForm } from "../code/data-forms.ts";

/** Everything about a language besides its syntax: tables of well-known words, and conventions. */
export interface Dialect {
  /** Matches the names of its files. */
  readonly endings: RegExp;
  /** Names of methods that act as constructors. */
  readonly constructors: ReadonlySet<string>;
  /** How objects are created: `new C()`, `C.new()`, or `C()` with a capitalized name. */
  readonly construction: "new-operator" | "new-method" | "call";
  /** The names that a module exports: those in its list of exports, or those that match this pattern. */
  readonly exports: "listed" | RegExp;
  /**
   * What a name refers to that its file doesn't declare: a global of the runtime; a name in a file of the same folder;
   * a name in any file; or, where a module can import all names of another, a class or function in any file.
   */
  readonly undeclared: "global" | "of-folder" | "of-any-file" | "imported-unnamed";
  /**
   * What the program's own modules differ by from others: a form such as `./a`, a folder of the first part's name
   * around the file, or the host of other own ones.
   */
  readonly ownModules: "by-form" | "by-folder" | "by-host";
  /** Whether a variable is scoped to its block or to its function. */
  readonly scopes: "block" | "function";
  /** The first parameter of a method is the object, which callers don't pass. */
  readonly hasSelfParameter: boolean;
  /** The column of a call on the stack is where the operation that failed begins, and not its name or operator. */
  readonly columnsBeginOperations: boolean;
  /** A function returns its last expression. */
  readonly returnsLast: boolean;
  /** A function can end without a `return`, and then returns nothing. */
  readonly endsSilently: boolean;
  /** Bare names can be fields or methods of the object. */
  readonly hasImplicitSelf: boolean;
  /** A call without arguments may be an accessor: `order.total`, `order.getTotal()`. */
  readonly readsFieldsByCalls: boolean;
  /** A method with no parameter besides the object can be read like a field. */
  readonly readsMethodsAsFields: boolean;
  /**
   * What a read out of range does: it throws an error that shows the index, or one that doesn't, or it gives nothing.
   */
  readonly outOfRange: "shown" | "thrown" | "nothing";
  /** The remainder of a negative number is negative. */
  readonly remaindersAreSigned: boolean;
  /** Methods are declared outside their type, in any file of its package. */
  readonly hasMethodsOutside: boolean;
  /** Capitalized names are classes. */
  readonly capitalsAreClasses: boolean;
  /** Whether calls may have to be awaited, and whether they return promises with methods of their own. */
  readonly waiting: "none" | "await" | "promises";
  /** Objects emit events to functions registered by name. */
  readonly hasEmitters: boolean;
  /** A function that passes on elements takes the list as an argument: `map(function, list)`. */
  readonly givesListToEach: boolean;
  /** The methods that pass a function the parts of each element, such as the key and the value of an entry; null without. */
  readonly takesApart: RegExp | null;
  /** An error keeps the one that was being handled when it was raised. */
  readonly keepsHandledErrors: boolean;
  /** Calls that raise an error, such as `panic(…)`. */
  readonly raising: ReadonlySet<string>;
  /** Calls that create an error, which other code raises or returns. */
  readonly errorMaking: RegExp;
  readonly calls: KnownCalls;
  /** Keys of data are matched with the names of fields ignoring case. */
  readonly ignoresCaseOfKeys: boolean;
  /** How repairs are written; null where none are. */
  readonly writing: Writing | null;
  /** What calls take a duration by the name of an argument. */
  readonly durations: readonly NamedDuration[];
  /** Whether all calls share the value that a parameter has by default. */
  readonly defaultsAreShared: boolean;
  /** What the runtime says of a coroutine that nothing awaited; the first group is its name. Null when it says nothing. */
  readonly neverAwaited: RegExp | null;
  /** Matches a coroutine among the variables that a client copied; the first group is its name. Null when none are. */
  readonly copiedCoroutine: RegExp | null;
  /** Matches messages about a promise where its value was expected; null when there are no promises. */
  readonly promiseInMessage: RegExp | null;
  /** Matches the modules whose functions all return promises; null when there are none. */
  readonly promisedModules: RegExp | null;
  /** Matches what a message calls a value of plain data, where it says which type the value had; null when it says none. */
  readonly plainType: RegExp | null;
  /** Matches messages about plain data where another type was expected; null when there are none. */
  readonly plainDataInMessage: RegExp | null;
  /** Methods and fields of the language's own types that plain data lacks, by type. */
  readonly builtIn: ReadonlyMap<string, ReadonlySet<string>>;
  /** The methods of what data files hold, by its form; empty when a value's methods don't show its form. */
  readonly dataMethods: ReadonlyMap<DataForm, ReadonlySet<string>>;
  /**
   * What holds the environment variables, and the functions that return the one that they are called with; whether
   * `object.NAME` is a variable, too; and which of these throw when the variable isn't set.
   */
  readonly environment: {
    readonly objects: ReadonlySet<string>;
    readonly calls: ReadonlySet<string>;
    readonly isNamedByMember: boolean;
    readonly required: ReadonlySet<string>;
  };
  /** Matches the types of errors that a time limit or a person raises in code that runs; null when there are none. */
  readonly interruption: RegExp | null;
  /**
   * Matches the name or a parameter of a function that the runtime calls between two lines when a signal arrives; null
   * when there are none.
   */
  readonly handler: RegExp | null;
  /** What can stand around lines that are read apart from their file. */
  readonly around: {
    /** Around entries of a list, an object, or a call. */
    readonly entries: readonly Around[];
    /** Around statements and members. */
    readonly statements: readonly Around[];
    /** Matches the end of lines that are taken for entries if they can be. */
    readonly entryEnd: RegExp;
  };
  /** How its regular expressions are used; null where they don't backtrack, or aren't followed. */
  readonly patterns: PatternCalls | null;
}

/** The line above and the line below. */
export type Around = readonly [above: string, below: string];

/** The calls that match text with a regular expression. */
export interface PatternCalls {
  /** They match a text; the expression is their receiver or their first argument. */
  readonly matching: ReadonlySet<string>;
  /** They make an expression from a text, their first argument. */
  readonly making: ReadonlySet<string>;
  /** Returns an expression in JavaScript's syntax, from the text of a string and how it is written in the source. */
  readonly inJavaScript: (text: string, written: string) => string;
}

/** What well-known calls do whose code isn't available, by the last part of their name. */
export interface KnownCalls {
  /** They return nothing when they find nothing. */
  readonly lookups: ReadonlySet<string>;
  /** They return their argument or their receiver. */
  readonly handOn: ReadonlySet<string>;
  /** They parse a text into data. */
  readonly parsing: ReadonlySet<string>;
  /** They write data as a text. */
  readonly serializing: ReadonlySet<string>;
  /** Methods of a response, or of an incoming request, that return its body. */
  readonly bodies: ReadonlySet<string>;
  /** Functions that send an HTTP request and return a response of any status. */
  readonly requests: ReadonlySet<string>;
  /** Objects whose methods do. */
  readonly httpClients: ReadonlySet<string>;
  /** Their result comes from outside the process. */
  readonly outside: ReadonlySet<string>;
  /** They compute a value from another, so a valid input can give an invalid result. */
  readonly computing: ReadonlySet<string>;
  /** They pass the elements of their receiver to the function that they are given. */
  readonly each: ReadonlySet<string>;
  /** They store a value under a key: `put(…, key, value)`. */
  readonly putting: ReadonlySet<string>;
  /** They add an element to their receiver, their last argument; operators too, to what is on their left. */
  readonly adding: ReadonlySet<string>;
  /** They add the elements or entries of their argument to their receiver. */
  readonly joining: ReadonlySet<string>;
  /** They change their receiver otherwise. */
  readonly altering: ReadonlySet<string>;
  /** Functions of the language whose named arguments say how they work, and never become fields of what they return. */
  readonly optioned: ReadonlySet<string>;
  /** They take positions in their receiver. */
  readonly positioned: ReadonlySet<string>;
  /** They return a position, or -1 when they find nothing. */
  readonly finding: ReadonlySet<string>;
  /** They return the position of what comes after a value, or the length when nothing does. */
  readonly bounding: ReadonlySet<string>;
}

/** How code is written. */
export interface Writing {
  /** Indentation makes blocks, and the end of a line ends a statement; otherwise braces and semicolons do. */
  readonly isIndented: boolean;
  /** What a method calls its object. */
  readonly self: string;
  /** Returns the entry of an object that has a variable of the same name as its value. */
  readonly entry: (name: string) => string;
  /** Empty collections, by a method that only they have. */
  readonly empty: ReadonlyMap<string, string>;
  /** The function that copies data of any type, after its module; null where there is none for all types. */
  readonly copying: { readonly module: string; readonly name: string } | null;
}

/** An argument that is a duration. */
export interface NamedDuration {
  /** Matches the text of the callee. */
  readonly callee: RegExp;
  readonly argument: RegExp;
  /** `named` where the argument's name says it. */
  readonly unit: "seconds" | "ms" | "named";
}

/** Returns the names of the calls that change their receiver in place. */
export function changingCalls({ calls: { putting, adding, joining, altering } }: Dialect): string[] {
  return [...putting, ...adding, ...joining, ...altering];
}

/** Returns whether calls of a name change their receiver in place. */
export function isChanging({ calls: { putting, adding, joining, altering } }: Dialect, name: string): boolean {
  return [putting, adding, joining, altering].some((names) => names.has(name));
}

/** The settings of a language without promises. */
export const withoutPromises = {
  waiting: "none",
  neverAwaited: null,
  copiedCoroutine: null,
  promiseInMessage: null,
  promisedModules: null,
} as const satisfies Partial<Dialect>;

/** Returns the words of a text, as a set. */
export function words(text: string): ReadonlySet<string> {
  return new Set(text === "" ? [] : text.split(" "));
}

/** The endings of error names in most languages. */
export const errorNames = /(?:Error|Exception|Fault|Failure)$/;
