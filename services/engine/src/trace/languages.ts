import type { GivenFiles } from "./code/given-files.ts";
import type { LanguageReader, Lowering } from "./code/ir.ts";
import type { Dialect } from "./dialects/dialect.ts";
import { go } from "./dialects/go.ts";
import { java } from "./dialects/java.ts";
import { javascript } from "./dialects/javascript.ts";
import { python } from "./dialects/python.ts";
import { ruby } from "./dialects/ruby.ts";
import type { RuntimeMessage } from "./follow/throw-site.ts";
import { goShapes, goWrappers } from "./lower/go.ts";
import { javaShapes, javaWrappers } from "./lower/java.ts";
import { pythonShapes, pythonWrappers } from "./lower/python.ts";
import { rubyShapes, rubyWrappers } from "./lower/ruby.ts";
import { treeReader } from "./lower/tree-reader.ts";
import { goMessages } from "./runtime-messages/go.ts";
import { javaMessages } from "./runtime-messages/java.ts";
import { javascriptMessages } from "./runtime-messages/javascript.ts";
import { pythonMessages } from "./runtime-messages/python.ts";
import { rubyMessages } from "./runtime-messages/ruby.ts";

/** A language whose code can be traced. */
interface TracedLanguage {
  readonly dialect: Dialect;
  /** Loads its parser, which is done only for files that need it. */
  readonly load: () => Promise<LanguageReader>;
  /** The messages of its runtime's errors. */
  readonly messages: readonly RuntimeMessage[];
}

/** Every language whose code can be traced; a new one is an entry here. */
const traced: readonly TracedLanguage[] = [
  {
    dialect: javascript,
    load: async () => {
      const { lowerJavaScript, parsesAsJavaScript } = await loadJavaScript();
      return { lower: lowerJavaScript, isWellFormed: parsesAsJavaScript };
    },
    messages: javascriptMessages,
  },
  {
    dialect: python,
    load: () => treeReader("python", pythonShapes, pythonWrappers),
    messages: pythonMessages,
  },
  {
    dialect: go,
    load: () => treeReader("go", goShapes, goWrappers),
    messages: goMessages,
  },
  {
    dialect: java,
    load: () => treeReader("java", javaShapes, javaWrappers),
    messages: javaMessages,
  },
  {
    dialect: ruby,
    load: () => treeReader("ruby", rubyShapes, rubyWrappers),
    messages: rubyMessages,
  },
];

/**
 * Loads TypeScript's parser, which takes 50 MB and 0.1 s. An investigation of JavaScript starts sooner when it is
 * already loaded.
 */
export function loadJavaScript(): Promise<typeof import("./lower/javascript.ts")> {
  return import("./lower/javascript.ts");
}

/** Returns what reads the languages that files with some paths are written in. */
export async function readersOf(paths: readonly string[]): Promise<ReadonlyMap<Dialect, LanguageReader>> {
  const used = traced.filter(({ dialect }) => paths.some((path) => dialect.endings.test(path)));
  return new Map(await Promise.all(used.map(async ({ dialect, load }) => [dialect, await load()] as const)));
}

/** Returns the lowerings of the languages that some files are written in. */
export async function loweringsFor(files: GivenFiles): Promise<ReadonlyMap<Dialect, Lowering>> {
  const readers = await readersOf(files.all.map(({ name }) => name));
  return new Map([...readers].map(([dialect, { lower }]) => [dialect, lower]));
}

/** Returns whether a whole file is well-formed in the language that its name says; false for other files. */
export async function parses(name: string, text: string): Promise<boolean> {
  const language = traced.find(({ dialect }) => dialect.endings.test(name));
  return language !== undefined && (await language.load()).isWellFormed(name, text);
}

/** Returns the messages of a language's runtime errors. */
export function messagesOf(dialect: Dialect): readonly RuntimeMessage[] {
  return traced.find((one) => one.dialect === dialect)?.messages ?? [];
}

/** The messages of the runtimes of all languages that are traced. */
export const tracedMessages: readonly RuntimeMessage[] = traced.flatMap(({ messages }) => messages);
