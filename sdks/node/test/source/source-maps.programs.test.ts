import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Frame } from "@whence/protocol";
import { build, transform } from "esbuild";
import ts from "typescript";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startGateway, type TestGateway } from "../gateway.ts";
import { buildSdk, type SdkBuild } from "../sdk-build.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const sources = join(import.meta.dirname, "../programs", "source-maps");

let sdk: SdkBuild;
let gateway: TestGateway;
let folder: string;
beforeAll(async () => {
  sdk = await buildSdk();
});
afterAll(() => sdk.remove());
beforeEach(async () => {
  gateway = await startGateway();
  folder = await mkdtemp(join(tmpdir(), "whence-maps-"));
  await cp(sources, join(folder, "src"), { recursive: true });
  await writeFile(join(folder, "package.json"), '{"type":"module","name":"cart","version":"1.0.0"}');
});
afterEach(async () => {
  await gateway.close();
  await rm(folder, { recursive: true });
});

function compile(options: ts.CompilerOptions): void {
  const program = ts.createProgram([join(folder, "src", "main.ts")], {
    outDir: join(folder, "dist"),
    rootDir: join(folder, "src"),
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    rewriteRelativeImportExtensions: true,
    types: [],
    skipLibCheck: true,
    ...options,
  });
  program.emit();
}

async function bundle(options: Parameters<typeof build>[0]): Promise<void> {
  await build({
    entryPoints: [join(folder, "src", "main.ts")],
    outfile: join(folder, "dist", "main.js"),
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "silent",
    ...options,
  });
}

/** Bundles two separately compiled files, with a map of their maps (`sections`, ECMA-426). */
async function bundleInSections(between: string): Promise<void> {
  const [cart, main] = await Promise.all(["cart.ts", "main.ts"].map(compileAlone));
  if (!cart || !main) return;
  const offset = between === "\n" ? { line: 1, column: 0 } : { line: 0, column: cart.code.length };
  const sections = [
    { offset: { line: 0, column: 0 }, map: JSON.parse(cart.map) },
    { offset, map: JSON.parse(main.map) },
  ];
  await mkdir(join(folder, "dist"));
  await writeFile(join(folder, "dist", "main.js"), cart.code + between + main.code);
  await writeFile(join(folder, "dist", "main.js.map"), JSON.stringify({ version: 3, sections }));
}

/** Without what it imports from its neighbor. */
async function compileAlone(name: string): Promise<{ code: string; map: string }> {
  const text = await readFile(join(folder, "src", name), "utf8");
  const { code, map } = await transform(text.replace(/^import .* from "\.\/cart\.ts";$/m, ""), {
    loader: "ts",
    format: "esm",
    minifyWhitespace: true,
    sourcemap: "external",
    sourcefile: `../src/${name}`,
  });
  return { code: code.trimEnd(), map };
}

/**
 * Runs the compiled program to its crash; returns the innermost frames of the program's own code, and the printed
 * stack.
 */
async function crash(
  flags: readonly string[] = [],
  entry = "dist/main.js",
): Promise<{ frames: readonly Frame[]; stack: string; release: string | undefined }> {
  const child = spawn(process.execPath, [...flags, join(folder, entry)], {
    env: {
      PATH: process.env.PATH,
      TMPDIR: temporaryFolder(),
      WHENCE_SDK: join(sdk.folder, "index.cjs"),
      WHENCE_ENDPOINT: gateway.url,
    },
    stdio: "ignore",
  });
  const code = await new Promise((resolve) => {
    child.on("close", resolve);
  });
  expect(code).toBe(1);
  const [exception] = gateway.events("exception")[0]?.exceptions ?? [];
  const frames = exception?.frames?.filter(({ in_app }) => in_app) ?? [];
  return { frames: frames.slice(0, 3), stack: exception?.stack ?? "", release: gateway.batches[0]?.release };
}

const line = (frame: Frame | undefined): string | undefined =>
  frame?.context?.lines[(frame.line ?? 0) - frame.context.start_line];

/** Expects the three places of the original program. */
async function expectOriginal(frames: readonly Frame[], root = join(folder, "src")): Promise<void> {
  expect(frames.map(({ file, line: at }) => [file, at])).toEqual([
    [join(root, "cart.ts"), 11],
    [join(root, "main.ts"), 14],
    [join(root, "main.ts"), 17],
  ]);
  expect(frames.map(line)).toEqual([
    expect.stringContaining("return items.map((item) => item.price)"),
    expect.stringContaining("console.log(totalOf({ id, items: null }));"),
    "checkout(31);",
  ]);
}

describe("the frames of compiled code", () => {
  it.each<[string, () => unknown]>([
    ["tsc, with maps beside the files", () => compile({ sourceMap: true })],
    ["tsc, with the sources in the maps", () => compile({ sourceMap: true, inlineSources: true })],
    ["tsc, with maps inside the files", () => compile({ inlineSourceMap: true, inlineSources: true })],
    ["tsc, with a source root", () => compile({ sourceMap: true, sourceRoot: join(folder, "src") })],
    ["esbuild, as one bundle", () => bundle({ sourcemap: true })],
    ["esbuild, as one bundle of one line", () => bundle({ sourcemap: true, minify: true })],
    ["esbuild, with the map inside the bundle", () => bundle({ sourcemap: "inline" })],
    ["esbuild, with a map that the bundle does not name", () => bundle({ sourcemap: "external" })],
    ["a bundler that works in pieces, each on a line of its own", () => bundleInSections("\n")],
    ["a bundler that works in pieces, all on one line", () => bundleInSections("")],
    ["SWC", writeSwcOutput],
  ])("of %s are those of the original code, with its lines", async (_name, make) => {
    await make();
    const { frames, stack, release } = await crash();
    await expectOriginal(frames);
    expect(frames.map((frame) => frame.context?.function)).toEqual([
      { start_line: 9, end_line: 12 },
      { start_line: 13, end_line: 15 },
      undefined,
    ]);
    expect(frames[0]?.generated).toMatchObject({ file: expect.stringMatching(/dist\/(main|cart)\.js$/) });
    expect(stack).toContain(`${join(folder, "src", "cart.ts")}:11:`);
    expect(stack).not.toContain(join(folder, "dist"));
    expect(release).toBe("cart@1.0.0");
  });

  it("are those of the original code in events queued when the program crashes", async () => {
    const numbers = Array.from({ length: 12 }, (_, index) => index);
    const program = [
      'import { createRequire } from "node:module";',
      'import { padding } from "./padding.ts";',
      'const sdk = createRequire(process.cwd() + "/")(process.env.WHENCE_SDK);',
      'sdk.init({ apiKey: "k", endpoint: process.env.WHENCE_ENDPOINT });',
      ...numbers.map((number) => `sdk.captureException(new Error(\`waiting ${number} \${padding}\`));`),
      'throw new Error("crashed");',
    ];
    await writeFile(join(folder, "src", "main.ts"), program.join("\n"));
    // Reading this map for each event would take longer than a dying process waits.
    const padding = "/* a long file */\n".repeat(400_000);
    await writeFile(join(folder, "src", "padding.ts"), `${padding}export const padding = 1;`);
    await bundle({ sourcemap: true });
    await crash();
    const innermost = gateway.events("exception").map(({ exceptions }) => exceptions?.[0]?.frames?.[0]);
    const written = [...numbers.map((number) => number + 5), numbers.length + 5];
    expect(innermost.map((frame) => frame?.line).sort((one, other) => Number(one) - Number(other))).toEqual(written);
    expect(innermost.map(line).sort()).toEqual(program.slice(4).sort());
  });

  it("are mapped once when Node has mapped them", async () => {
    await bundle({ sourcemap: true });
    const { frames } = await crash(["--enable-source-maps"]);
    await expectOriginal(frames);
    expect(frames.every(({ generated }) => generated === undefined)).toBe(true);
  });

  it("need no map when Node strips the types itself", async () => {
    const { frames } = await crash([], "src/main.ts");
    await expectOriginal(frames);
    expect(frames.every(({ generated }) => generated === undefined)).toBe(true);
  });

  it("keep the names in a bundler's URLs, and the lines in its map", async () => {
    await bundle({ sourcemap: true });
    const file = join(folder, "dist", "main.js.map");
    const map = JSON.parse(await readFile(file, "utf8"));
    map.sources = map.sources.map((source: string) => `webpack://shop/./${source.replace("../", "")}?a1b2`);
    await writeFile(file, JSON.stringify(map));
    const { frames } = await crash();
    await expectOriginal(frames, "src");
  });

  it.each([
    ["../app/%5Bid%5D/page.ts", "app/[id]/page.ts"],
    ["turbopack:///[project]/app/%5Bid%5D/page.ts", "app/[id]/page.ts"],
    ["../app/100%25 & more/page.ts", "app/100%25 & more/page.ts"],
    ["../app/100%FF/page.ts", "app/100%FF/page.ts"],
  ])("have the path that %s is, in a map that names its sources by URLs or by paths", async (source, path) => {
    await bundle({ sourcemap: true });
    const file = join(folder, "dist", "main.js.map");
    const map = JSON.parse(await readFile(file, "utf8"));
    await writeFile(file, JSON.stringify({ ...map, sources: map.sources.map(() => source) }));
    const { frames } = await crash();
    expect(frames[0]?.file).toBe(source.startsWith("..") ? join(folder, path) : path);
  });

  it.each<[string, (map: Record<string, unknown>) => unknown]>([
    ["is no JSON", () => "no JSON"],
    ["is a list", () => []],
    ["has no mappings", ({ mappings: _mappings, ...map }) => map],
    ["has broken mappings", (map) => ({ ...map, mappings: "AAAA;!!!!;ÿÿ" })],
    ["has endless numbers", (map) => ({ ...map, mappings: "ggggggggggggggggg;AAAA" })],
    ["leads out of its sources", (map) => ({ ...map, sources: [], sourcesContent: [] })],
    ["has sources that are no text", (map) => ({ ...map, sources: [7, null] })],
    ["is of another program", (map) => ({ ...map, mappings: "AAAA" })],
  ])("aren't changed next to a map that %s", async (_name, spoil) => {
    await bundle({ sourcemap: true });
    const file = join(folder, "dist", "main.js.map");
    const spoiled = spoil(JSON.parse(await readFile(file, "utf8")));
    await writeFile(file, typeof spoiled === "string" ? spoiled : JSON.stringify(spoiled));
    const { frames } = await crash();
    expect(frames[0]).toMatchObject({ file: join(folder, "dist", "main.js"), function: "totalOf" });
    expect(line(frames[0])).toContain("items.map(");
  });

  it("show nothing of a file that isn't code, whatever a map says", async () => {
    await bundle({ sourcemap: true });
    await writeFile(join(folder, "secret"), "s3cret\n".repeat(30));
    const file = join(folder, "dist", "main.js.map");
    const { sourcesContent: _contents, ...map } = JSON.parse(await readFile(file, "utf8"));
    await writeFile(file, JSON.stringify({ ...map, sources: ["../secret", "../secret"] }));
    const { frames } = await crash();
    expect(frames[0]).toMatchObject({ file: join(folder, "secret"), line: 11 });
    expect(JSON.stringify(gateway.batches)).not.toContain("s3cret");
  });
});

/** Writes SWC 1.16.22's output for the two files: it would be a dependency of 40 MB for these four texts. */
async function writeSwcOutput(): Promise<void> {
  const files: Record<string, string> = JSON.parse(await readFile(join(sources, "swc.json"), "utf8"));
  await cp(join(folder, "src"), join(folder, "dist"), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, "dist", name), text);
  for (const name of Object.keys(files).filter((name) => name.endsWith(".map"))) {
    const map = JSON.parse(files[name] ?? "");
    await writeFile(
      join(folder, "dist", name),
      JSON.stringify({ ...map, sources: map.sources.map((source: string) => source.replace("../", "../src/")) }),
    );
  }
}
