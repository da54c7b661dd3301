import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Frame } from "@whence/protocol";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startGateway, type TestGateway } from "../gateway.ts";
import { type Runtime, runtimeNamed } from "../runtimes.ts";
import { buildSdk, type SdkBuild } from "../sdk-build.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const checked = ["18", "20", "26"].map(runtimeNamed);
const newest = runtimeNamed("26");
const program = join(import.meta.dirname, "../programs/local-variables.cjs");

let sdk: SdkBuild;
let gateway: TestGateway;
beforeAll(async () => {
  sdk = await buildSdk();
});
afterAll(() => sdk.remove());
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.close());

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[], { path }: Runtime = newest, env: Record<string, string> = {}): Promise<Run> {
  const environment = { TMPDIR: temporaryFolder(), WHENCE_SDK: sdk.folder, WHENCE_ENDPOINT: gateway.url, ...env };
  return new Promise((resolve) => {
    const child = execFile(path, [...args], { env: environment }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}

/** Returns the variables of the own frames of an event's error, or of one of its causes. */
function variables(event = 0, exception = 0): (Frame["vars"] | undefined)[] {
  const { frames = [] } = gateway.events("exception")[event]?.exceptions?.[exception] ?? {};
  return frames.filter(({ in_app: isOwn }) => isOwn).map(({ vars }) => vars);
}

describe.each(checked)("local variables on Node $name", (runtime) => {
  it("are those at the throw, for each of the program's calls", async () => {
    await run([program, "caught"], runtime);
    const [total, callback] = variables();
    expect(total).toEqual({
      label: "order 2",
      order: { id: 2 },
      orders: [{ id: 1, customer: { name: "A" } }, { id: 2 }],
      count: 2,
    });
    expect(callback).toBeUndefined();
  });

  it("are included with an error that ends the process, which ends as usual", async () => {
    const watched = await run([program, "uncaught"], runtime);
    const [total] = variables();
    expect(total).toMatchObject({ label: "order 2", count: 1 });
    expect(watched).toEqual(await run([program, "uncaught"], runtime, { OFF: "1" }));
    expect(variables(1)).toEqual([undefined, undefined, undefined]);
  });

  it("are included with a rejection that ends the process, with the same exit code and stack", async () => {
    const watched = await run([program, "rejected"], runtime);
    expect(variables()[0]).toEqual({ id: 7, attempt: 2 });
    const bare = await run([program, "rejected"], runtime, { OFF: "1" });
    const stackIn = ({ stderr }: Run): string => stderr.slice(stderr.indexOf("\nError: failed"));
    expect({ ...watched, stderr: stackIn(watched) }).toEqual({ ...bare, stderr: stackIn(bare) });
  });

  it("include those of a generator", async () => {
    await run([program, "generator"], runtime);
    expect(variables()[0]).toEqual({ limit: 3, at: 3 });
  });

  it("are kept with an error that is rethrown later", async () => {
    await run([program, "kept and thrown again"], runtime);
    expect([variables(0)[0], variables(1)[0]]).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it("are included with the cause of an error as well", async () => {
    await run([program, "wrapped"], runtime);
    expect(variables(0, 0)[0]).toMatchObject({ outer: "outer" });
    expect(variables(0, 1)[0]).toEqual({ id: 3 });
  });

  it("are those of the call that threw, if another one created the error", async () => {
    await run([program, "made"], runtime);
    expect(variables().slice(0, 2)).toEqual([undefined, { reason: "made by another function" }]);
  });

  it("are read without running the program's code", async () => {
    const { stdout } = await run([program, "loud"], runtime);
    expect(stdout).toBe("");
    expect(variables()[0]).toEqual({
      getter: { balance: "[getter]" },
      trapped: "[proxy]",
      nested: { trapped: "[proxy]", list: ["[proxy]"] },
    });
  });

  it("are redacted by name at any depth", async () => {
    await run([program, "secrets"], runtime);
    expect(variables()[0]).toEqual({
      password: "[redacted]",
      user: { id: 7, Token: "[redacted]", bank: [{ IBAN: "[redacted]", name: "N" }] },
      iban: "[redacted]",
    });
    const path = "/exceptions/0/frames/0/vars";
    expect(gateway.events("exception")[0]?.redactions).toEqual([
      { rule: "default-name", path: `${path}/password` },
      { rule: "default-name", path: `${path}/user/Token` },
      { rule: "added-name", path: `${path}/user/bank/0/IBAN` },
      { rule: "added-name", path: `${path}/iban` },
    ]);
  });

  it("describe values that JSON can't represent by their kind", async () => {
    await run([program, "kinds"], runtime);
    expect(variables()[0]).toEqual({
      missing: "[undefined]",
      nothing: null,
      big: "[bigint 12]",
      infinite: "[number Infinity]",
      made: "[date 1970-01-01T00:00:00.000Z]",
      bytes: "[bytes]",
      rates: "[map]",
      failure: "Error: inner",
    });
  });

  it("stop the program at most ten times in a loop of 100,000 caught errors", async () => {
    await run([program, "hot loop"], runtime);
    const events = gateway.events("exception");
    expect(events).toHaveLength(200);
    const withVariables = events.filter(({ exceptions }) => exceptions?.[0]?.frames?.some(({ vars }) => vars));
    expect(withVariables.length).toBeGreaterThan(0);
    expect(withVariables.length).toBeLessThanOrEqual(10);
  });
});

describe("recorded local variables", () => {
  const sized = async (kind: string, size: number): Promise<unknown> => {
    await run([program, "sized", kind, String(size)]);
    return variables(gateway.events("exception").length - 1)[0]?.value;
  };

  it("have up to 512 characters per text", async () => {
    expect(await sized("text", 512)).toBe("x".repeat(512));
    expect(await sized("text", 513)).toMatch(/^x{400,}… \[trimmed \d+ characters\]$/);
  });

  it("have up to ten items per list, and the number of the others", async () => {
    const ten = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    expect(await sized("list", 10)).toEqual(ten);
    expect(await sized("list", 11)).toEqual([...ten, "… 1 more"]);
  });

  it("have up to ten fields per object, and the number of the others", async () => {
    expect(Object.keys(Object(await sized("record", 10)))).toHaveLength(10);
    expect(await sized("record", 12)).toMatchObject({ k9: 9, "…": "2 more" });
  });

  it("have up to three levels of objects", async () => {
    expect(await sized("levels", 3)).toEqual({ inner: { inner: { inner: "core" } } });
    expect(await sized("levels", 4)).toEqual({ inner: { inner: { inner: "[object]" } } });
  });

  it("have up to 20 variables per call, and the number of the others", async () => {
    const env = { FOLDER: await mkdtemp(join(tmpdir(), "whence-locals-")) };
    await run([program, "declares", "20"], newest, env);
    await run([program, "declares", "21"], newest, env);
    await rm(env.FOLDER, { recursive: true });
    const [twenty, more] = [variables(0)[0], variables(1)[0]];
    expect(Object.keys(twenty ?? {})).toHaveLength(20);
    expect(twenty).toMatchObject({ v0: 0, v19: 19 });
    expect(more).toMatchObject({ ...twenty, "…": "1 more" });
  });

  it("have up to five calls per error", async () => {
    await run([program, "nested", "4"]);
    await run([program, "nested", "5"]);
    const depths = (event: number): unknown[] => variables(event).map((vars) => vars?.depth);
    expect(depths(0).slice(0, 6)).toEqual([0, 1, 2, 3, 4, undefined]);
    expect(depths(1).slice(0, 6)).toEqual([0, 1, 2, 3, 4, undefined]);
  });

  it("have up to 8,192 characters per error", async () => {
    await run([program, "sized", "texts", "512"]);
    expect(JSON.stringify(variables()).length).toBeLessThan(9_000);
    expect(variables()[0]).toMatchObject({ kind: "texts", size: 512 });
  });
});

describe("local variables", () => {
  it.each(checked)(
    "are those of its callers when a package throws and nothing catches it, on Node $name",
    async (runtime) => {
      const folder = await mkdtemp(join(tmpdir(), "whence-locals-"));
      const library = join(folder, "node_modules", "library");
      await mkdir(library, { recursive: true });
      await writeFile(join(library, "index.js"), 'module.exports = (sku) => { throw new Error("no " + sku); };');
      await run([program, "calls a package", library], runtime);
      await rm(folder, { recursive: true });
      const { frames = [] } = gateway.events("exception")[0]?.exceptions?.[0] ?? {};
      expect(frames.slice(0, 2).map(({ vars }) => vars)).toEqual([undefined, { sku: "A-1" }]);
    },
  );

  it("are those of the call that passed Node an invalid argument", async () => {
    await run([program, "bad argument"]);
    expect(variables()[0]).toEqual({ address: "not a URL" });
  });

  it("are recorded in threads, each by its own client", async () => {
    await run([program, "in a thread"]);
    expect(variables()[0]).toMatchObject({ label: "order 2" });
  });

  it("include those of an ES module and its functions", async () => {
    await run([join(import.meta.dirname, "../programs/local-variables.mjs")]);
    expect(variables().slice(0, 2)).toEqual([{ order: { id: 5 }, factor: 2 }, { orders: [{ id: 5 }] }]);
  });

  it("are those of generated code where a source map leads to the original", async () => {
    const folder = await mkdtemp(join(tmpdir(), "whence-locals-"));
    const file = join(folder, "main.cjs");
    const code = [
      'import { captureException, init } from "@whence/node";',
      'init({ apiKey: "k", endpoint: process.env.WHENCE_ENDPOINT, localVariables: true });',
      "function price(order: { readonly customer?: { readonly name: string } }): string {",
      "  const discount: number = 3;",
      "  return (order.customer as { name: string }).name.repeat(discount);",
      "}",
      "try { price({}); } catch (error) { captureException(error); }",
    ];
    await build({
      stdin: { contents: code.join("\n"), loader: "ts", sourcefile: "main.ts", resolveDir: folder },
      outfile: file,
      bundle: true,
      platform: "node",
      format: "cjs",
      sourcemap: "inline",
      minify: true,
      alias: { "@whence/node": join(sdk.folder, "index.cjs") },
    });
    await run([file]);
    await rm(folder, { recursive: true });
    const [frame] = gateway.events("exception")[0]?.exceptions?.[0]?.frames ?? [];
    expect(frame).toMatchObject({ file: expect.stringMatching(/main\.ts$/), line: 5 });
    expect(Object.values(frame?.vars ?? {})).toEqual([{}]);
    expect(Object.keys(frame?.vars ?? {})).not.toContain("order");
  });

  it("are off unless the program turns them on", async () => {
    await run([program, "caught"], newest, { OFF: "1" });
    expect(variables().every((vars) => vars === undefined)).toBe(true);
    expect(variables().length).toBeGreaterThan(1);
  });

  it("yield to a debugger, with one warning", async () => {
    const { stderr } = await run(["--inspect=0", program, "caught"]);
    expect(variables()).toContain(undefined);
    expect(variables().every((vars) => vars === undefined)).toBe(true);
    expect(stderr.match(/WHENCE_WARN_INIT.*localVariables is off: a debugger can attach/g)).toHaveLength(1);
  });

  it("yield to a debugger that is attached later", async () => {
    await run([program, "after a debugger was let in"]);
    expect(gateway.events("exception")).toHaveLength(2);
    expect([...variables(0), ...variables(1)].every((vars) => vars === undefined)).toBe(true);
  });
});
