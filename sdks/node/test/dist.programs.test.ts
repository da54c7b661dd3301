import { readdir, readFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildSdk, type SdkBuild } from "./sdk-build.ts";

let sdk: SdkBuild;
let files: { name: string; text: string }[];

beforeAll(async () => {
  sdk = await buildSdk();
  const names = (await readdir(sdk.folder, { recursive: true })).filter((name) => /\.c?js$/.test(name));
  files = await Promise.all(
    names.map(async (name) => ({ name, text: await readFile(join(sdk.folder, name), "utf8") })),
  );
});
afterAll(() => sdk.remove());

const imported = /(?:\bfrom|\bimport\(|\brequire\(|\bimport)\s*["']([^"']+)["']/g;

describe("the published package", () => {
  it("imports only Node's modules and its own", () => {
    const foreign = files.flatMap(({ name, text }) =>
      [...text.matchAll(imported)]
        .map((match) => match[1] ?? "")
        .filter((specifier) => !specifier.startsWith("."))
        .filter((specifier) => !specifier.startsWith("node:") || !builtinModules.includes(specifier.slice(5)))
        .map((specifier) => `${name}: ${specifier}`),
    );
    expect(files.length).toBeGreaterThanOrEqual(6);
    expect(foreign).toEqual([]);
  });

  it("uses no import(), which fails in scripts: in Jest, from V8's code cache", () => {
    const loading = files.filter(({ name, text }) => !name.startsWith("doctor") && /\bimport\(/.test(text));
    expect(loading.map(({ name }) => name)).toEqual([]);
  });

  it("calls createRequire only in ways that webpack doesn't recognize, which would replace it with undefined", () => {
    const isImported = /\{[^{}]*\bcreateRequire\b[^{}]*\}\s*from\s*["'](?:node:)?module["']|\.createRequire\b/;
    expect(files.filter(({ text }) => isImported.test(text)).map(({ name }) => name)).toEqual([]);
  });

  it("can be bundled for an edge runtime where Next.js does that, without any module of Node", () => {
    const reached = (name: string): string[] => {
      const text = files.find((file) => file.name === name)?.text ?? "";
      const specifiers = [...text.matchAll(imported)].map((match) => match[1] ?? "");
      return specifiers.flatMap((specifier) =>
        specifier.startsWith(".") ? reached(join(dirname(name), specifier)) : specifier,
      );
    };
    expect(reached("frameworks/jobs.js")).not.toEqual([]);
    expect([...reached("frameworks/nextjs.js"), ...reached("frameworks/nextjs.cjs")]).toEqual([]);
  });

  it("contains no trace of zod", () => {
    expect(files.filter(({ text }) => /zod/i.test(text)).map(({ name }) => name)).toEqual([]);
  });
});
