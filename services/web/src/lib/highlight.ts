import { createLowlight } from "lowlight";

/** A token of code; its kind is a highlight.js class without the prefix. */
export interface CodeToken {
  readonly text: string;
  readonly kind: string | null;
}

const loaders: Readonly<
  Record<string, () => Promise<{ default: Parameters<ReturnType<typeof createLowlight>["register"]>[1] }>>
> = {
  javascript: () => import("highlight.js/lib/languages/javascript"),
  typescript: () => import("highlight.js/lib/languages/typescript"),
  python: () => import("highlight.js/lib/languages/python"),
  go: () => import("highlight.js/lib/languages/go"),
  java: () => import("highlight.js/lib/languages/java"),
  kotlin: () => import("highlight.js/lib/languages/kotlin"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  csharp: () => import("highlight.js/lib/languages/csharp"),
  php: () => import("highlight.js/lib/languages/php"),
  rust: () => import("highlight.js/lib/languages/rust"),
  json: () => import("highlight.js/lib/languages/json"),
  yaml: () => import("highlight.js/lib/languages/yaml"),
  sql: () => import("highlight.js/lib/languages/sql"),
  bash: () => import("highlight.js/lib/languages/bash"),
};

const aliases: Readonly<Record<string, string>> = {
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  jsx: "javascript",
  ts: "typescript",
  tsx: "typescript",
  mts: "typescript",
  cts: "typescript",
  py: "python",
  kt: "kotlin",
  rb: "ruby",
  cs: "csharp",
  rs: "rust",
  yml: "yaml",
  sh: "bash",
};

const lowlight = createLowlight();

type Root = ReturnType<typeof lowlight.highlight>;
type Content = Root["children"][number];

/** Returns the language for a name such as `ts` or `src/cart.ts`; null for an unknown one. */
export function languageOf(name: string): string | null {
  const ending = name.split(".").at(-1)?.toLowerCase() ?? "";
  const language = aliases[ending] ?? ending;
  return loaders[language] ? language : null;
}

/** Returns the lines of some code as tokens. The grammar of a language is loaded on first use. */
export async function highlightLines(code: string, language: string): Promise<readonly (readonly CodeToken[])[]> {
  if (!lowlight.registered(language)) {
    const grammar = await loaders[language]?.();
    if (!grammar) return code.split("\n").map((text) => [{ text, kind: null }]);
    lowlight.register(language, grammar.default);
  }
  return splitLines(flatten(lowlight.highlight(language, code)));
}

function flatten(node: Root | Content, kind: string | null = null): CodeToken[] {
  if (node.type === "text") return [{ text: node.value, kind }];
  if (node.type !== "element" && node.type !== "root") return [];
  const own = node.type === "element" ? kindOf(node.properties.className) : null;
  return node.children.flatMap((child) => flatten(child, own ?? kind));
}

function kindOf(names: unknown): string | null {
  const [first] = Array.isArray(names) ? names : [];
  return typeof first === "string" ? first.replace(/^hljs-/, "") : null;
}

function splitLines(tokens: readonly CodeToken[]): CodeToken[][] {
  const lines: CodeToken[][] = [[]];
  for (const { text, kind } of tokens) {
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1)?.push({ text: part, kind });
    }
  }
  return lines;
}
