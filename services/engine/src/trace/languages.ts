import type { Dialect } from "./dialects/dialect.ts";
import { go } from "./dialects/go.ts";
import { java } from "./dialects/java.ts";
import { javascript } from "./dialects/javascript.ts";
import { python } from "./dialects/python.ts";
import { ruby } from "./dialects/ruby.ts";
import type { GivenFiles } from "./given-files.ts";
import type { Lowering } from "./ir.ts";
import { goShapes, goWrappers } from "./lower/go.ts";
import { javaShapes, javaWrappers } from "./lower/java.ts";
import { pythonShapes, pythonWrappers } from "./lower/python.ts";
import { rubyShapes, rubyWrappers } from "./lower/ruby.ts";
import { treeLowering } from "./lower/tree-lowering.ts";
import { goMessages } from "./runtime-messages/go.ts";
import { javaMessages } from "./runtime-messages/java.ts";
import { javascriptMessages } from "./runtime-messages/javascript.ts";
import { pythonMessages } from "./runtime-messages/python.ts";
import { rubyMessages } from "./runtime-messages/ruby.ts";
import type { RuntimeMessage } from "./throw-site.ts";

/** A language whose code is followed. */
interface TracedLanguage {
  readonly dialect: Dialect;
  /** Loads its parser, which is only done for files that need it. */
  readonly load: () => Promise<Lowering>;
  /** What its runtime says when it raises. */
  readonly messages: readonly RuntimeMessage[];
}

/** Every language whose code is followed: a new one is an entry here. */
const traced: readonly TracedLanguage[] = [
  {
    dialect: javascript,
    load: async () => (await loadJavaScript()).lowerJavaScript,
    messages: javascriptMessages,
  },
  { dialect: python, load: () => treeLowering("python", pythonShapes, pythonWrappers), messages: pythonMessages },
  { dialect: go, load: () => treeLowering("go", goShapes, goWrappers), messages: goMessages },
  { dialect: java, load: () => treeLowering("java", javaShapes, javaWrappers), messages: javaMessages },
  { dialect: ruby, load: () => treeLowering("ruby", rubyShapes, rubyWrappers), messages: rubyMessages },
];

/** Loads TypeScript's parser, which takes 50 MB and 0.1 s; an investigation of JavaScript that finds it loaded starts sooner. */
export function loadJavaScript(): Promise<typeof import("./lower/javascript.ts")> {
  return import("./lower/javascript.ts");
}

/** What lowers each language that some files are written in. */
export async function loweringsFor(files: GivenFiles): Promise<ReadonlyMap<Dialect, Lowering>> {
  const used = traced.filter(({ dialect }) => files.all.some(({ name }) => dialect.endings.test(name)));
  return new Map(await Promise.all(used.map(async ({ dialect, load }) => [dialect, await load()] as const)));
}

/** What the runtime of a language says when it raises. */
export function messagesOf(dialect: Dialect): readonly RuntimeMessage[] {
  return traced.find((one) => one.dialect === dialect)?.messages ?? [];
}
