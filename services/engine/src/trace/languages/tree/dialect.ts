import type { CodeNode, Shape } from "./code-node.ts";
import type { Rule } from "./rule.ts";
import type { Failing } from "./throw-site.ts";

/** What is to be known about a language to read its code as the others': tables, and what is its own. */
export interface Dialect {
  readonly name: "python" | "go" | "java" | "ruby";
  /** The grammar's file, without its folder. */
  readonly grammar: string;
  readonly endings: RegExp;
  /** What the grammar's nodes are; what is not listed is nothing in particular. */
  readonly shapes: Readonly<Record<string, Shape>>;
  /** How the value that is none is written. */
  readonly nothing: string;
  /** What the object is called in its own methods, where that is a word and not a parameter's position. */
  readonly self: ReadonlySet<string>;
  /** Methods have the object as their first parameter, which callers do not write. */
  readonly hasSelfParameter: boolean;
  /** The last expression of a function is what it returns. */
  readonly returnsLast: boolean;
  /** Calls that raise an error, as `panic(…)`. */
  readonly raising: ReadonlySet<string>;
  /** Calls that make an error which somebody else raises or returns, as `fmt.Errorf(…)`. */
  readonly errorMaking: ReadonlySet<string>;
  /** Names of functions that make an object of the class that they are called on, or are the class. */
  readonly constructors: ReadonlySet<string>;
  readonly calls: KnownCalls;
  /** What the runtime says when it throws, and which expression it means. */
  readonly failures: readonly Failing[];
  readonly rules: readonly Rule[];
  /** What reads an environment variable: its name, and whether something stands in for a missing one. */
  readonly environment: (node: CodeNode, text: (node: CodeNode) => string) => EnvironmentRead | null;
}

/** What calls are known for that cannot be looked into, by the last part of their name. */
export interface KnownCalls {
  /** They give nothing when they find nothing. */
  readonly lookups: ReadonlySet<string>;
  /** They hand on what they are given, or what they are called on. */
  readonly handOn: ReadonlySet<string>;
  /** They turn a text into data. */
  readonly parsing: ReadonlySet<string>;
  /** What they give comes from outside of the process. */
  readonly outside: ReadonlySet<string>;
  /** They turn text into a number, and the like: a good value can become a bad one. */
  readonly computing: ReadonlySet<string>;
  /** They hand the elements of what they are called on to the function that they are given. */
  readonly each: ReadonlySet<string>;
  /** They put a value under a key: `put(…, key, value)`. */
  readonly putting: ReadonlySet<string>;
}

export interface EnvironmentRead {
  readonly variable: string;
  readonly fallback: CodeNode | null;
}

/** A set of words, written as one text. */
export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
