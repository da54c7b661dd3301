import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { incidentSchema } from "@whence/protocol";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../../test/servers/free-port.ts";
import { bootstrapKey, type ServerProcess, startServerProcess } from "../../../test/servers/server-process.ts";
import { startWhence, temporaryFolder, whence } from "./whence-command.ts";

let data: Awaited<ReturnType<typeof temporaryFolder>>;
let server: ServerProcess;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  data = await temporaryFolder();
  server = await startServerProcess(data.path, await freePort());
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await data?.remove();
});
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

const environment = () => ({ WHENCE_URL: server.url, WHENCE_API_KEY: bootstrapKey });

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(join(folder.path, "src"), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text);
}

/** Proves the failure of `node main` and returns the incident with its report. */
async function proven(main: string, more: Readonly<Record<string, string>> = {}) {
  const run = await whence(["prove", "--json", "--", process.execPath, main], {
    home: folder.path,
    env: { ...environment(), ...more },
  });
  expect(run.code).toBe(0);
  const { report } = incidentSchema.parse(JSON.parse(run.stdout));
  if (!report) throw new Error(run.stdout);
  return { report, ...run };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const seenIn = ({ report }: Awaited<ReturnType<typeof proven>>) =>
  report.evidence.filter(({ source }) => source.kind === "observed").map(({ summary }) => summary);

/** The mistake is a branch of `planOf` that returns nothing; the error is thrown by its caller's caller. */
const planCode = `function planOf(id, token) {
  const plans = { p1: { limit: 3 } };
  if (id in plans) return plans[id];
  if (token === "") throw new Error("no token");
}
module.exports = { planOf };
`;
const limitCode = `const { planOf } = require("./plan.js");
function limitOf(order) {
  const plan = planOf(order.plan, order.token);
  return plan.limit;
}
module.exports = { limitOf };
`;
const program = {
  "src/plan.js": planCode,
  "src/limit.js": limitCode,
  "main.js": `const { limitOf } = require("./src/limit.js");
console.log(limitOf({ plan: "p1", token: "s3cr3t-value" }));
limitOf({ plan: "p9", token: "s3cr3t-value" });
`,
};

describe("whence prove", () => {
  it("names the function that returned the failing value, off the stack, with what was seen", async () => {
    await write(program);
    const found = await proven("main.js");
    expect(found.report.candidates[0]).toMatchObject({
      seen: "confirmed",
      location: { file: "src/plan.js", function: "planOf" },
    });
    expect(seenIn(found)).toContainEqual(
      expect.stringMatching(
        /^`planOf` \(`src\/plan\.js:\d`\) returned `undefined` \d+ ms before the throw in run 2, where/,
      ),
    );
    expect(found.stderr).toMatch(
      /3\n[\s\S]*TypeError[\s\S]*Run 1 failed with exit code 1\.[\s\S]*Run 2, watched, failed/,
    );
  });

  it("leads from a failed assertion to what only the failing test ran", async () => {
    await write({
      "src/totals.js": `exports.label = (items) => {
  const names = items.map((item) => item.name);
  if (names.length > 3) names.length = 3;
  return names.join(", ");
};
exports.net = (items) => items.reduce((sum, item) => sum - item.price, 0);
`,
      "totals.test.js": `const assert = require("node:assert");
const { test } = require("node:test");
const { label, net } = require("./src/totals.js");
const item = { name: "a", price: 3 };
test("labels", () => assert.equal(label([item]), "a"));
test("adds", () => {
  assert.equal([label([item]), net([item])].join(), "a,3");
});
`,
    });
    const found = await proven("totals.test.js");
    expect(found.report.candidates[0]?.location).toMatchObject({ file: "src/totals.js", line: 6 });
    expect(found.report.candidates[0]?.seen).toBeUndefined();
    expect(seenIn(found)).toContainEqual(
      expect.stringMatching(
        /^`[\w.]*net` \(`src\/totals\.js:6`\) ran in the failing test before the throw in run \d, and in none of 1 test/,
      ),
    );
  });

  it("tries the patch in a copy of the tree, and leaves the tree as it is", async () => {
    const greet = `const { userOf } = require("./users.js");
async function greet(id) {
  const user = userOf(id);
  return user.name.trim();
}
module.exports = { greet };
`;
    await write({
      "src/users.js": `const users = { u1: { name: "Ada" } };
async function userOf(id) {
  return users[id];
}
module.exports = { userOf };
`,
      "src/greet.js": greet,
      "main.js": `const { test } = require("node:test");
const { greet } = require("./src/greet.js");
test("greets", () => greet("u1"));
test("adds", () => undefined);
`,
    });
    const found = await proven("main.js");
    const said =
      /^With the patch at `greet` \(`src\/greet\.js:3`\), .* the command passes: 2 tests passed, 1 without it$/;
    expect(seenIn(found)).toContainEqual(expect.stringMatching(said));
    expect(found.report.candidates[0]).toMatchObject({ seen: "confirmed", location: { function: "greet" } });
    expect(found.report.patch?.tried).toMatch(said);
    expect(found.stderr).toContain("in a copy of the tree: the command passes (2 tests passed, 1 without it).");
    expect(await readFile(join(folder.path, "src/greet.js"), "utf8")).toBe(greet);
  });

  it("sends no value of a redacted name", async () => {
    await write(program);
    expect((await proven("main.js")).stdout).not.toContain("s3cr3t-value");
  });

  it.each([
    ["an async function", `await null;\n`, "main.mjs"],
    ["a worker", ``, "worker.mjs"],
    ["a child process", ``, "child.mjs"],
  ])("looks into %s", async (_, waits, main) => {
    await write({
      "src/plan.mjs": `export async function planOf(id) {\n  ${waits}  if (id === "p1") return { limit: 3 };\n}\n`,
      "main.mjs": `import { planOf } from "./src/plan.mjs";
async function limitOf(id) {
  const plan = await planOf(id);
  return plan.limit;
}
await limitOf("p1");
await limitOf("p9");
`,
      "worker.mjs": `import { Worker } from "node:worker_threads";
new Worker(new URL("./main.mjs", import.meta.url)).on("error", (error) => {
  console.error(error.stack);
  process.exitCode = 1;
});
`,
      "child.mjs": `import { fork } from "node:child_process";
fork(new URL("./main.mjs", import.meta.url)).on("exit", (code) => process.exit(code));
`,
    });
    expect((await proven(main)).report.candidates[0]).toMatchObject({
      seen: "confirmed",
      location: { file: "src/plan.mjs", function: "planOf" },
    });
  });

  it("looks into Python, after the program's own sitecustomize", async () => {
    await write({
      "src/sitecustomize.py": "import builtins\nbuiltins.own = 1\n",
      "src/plan.py": `def plan_of(id, token):
    plans = {"p1": {"limit": 3}}
    if id in plans:
        return plans[id]
`,
      "src/main.py": `from plan import plan_of


def limit_of(id):
    plan = plan_of(id, "s3cr3t" + "-value")
    return plan["limit"]


print(limit_of("p1"), own)
limit_of("p9")
`,
    });
    const run = await whence(["prove", "--json", "--", "python3", "-B", "src/main.py"], {
      home: folder.path,
      env: { ...environment(), PYTHONPATH: join(folder.path, "src") },
    });
    expect(run.stderr).toContain("3 1\n");
    const { report } = incidentSchema.parse(JSON.parse(run.stdout));
    expect(report?.candidates[0]).toMatchObject({
      seen: "confirmed",
      location: { file: "src/plan.py", function: "plan_of" },
    });
    expect(run.stdout).not.toContain("s3cr3t-value");
  });

  it("says that a command passed, and asks nothing", async () => {
    const { code, stdout, stderr } = await whence(["prove", "--", process.execPath, "-e", "0"], {
      home: folder.path,
      env: { WHENCE_URL: "http://127.0.0.1:1" },
    });
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("The command passed: there is no failure to explain.");
  });

  it("runs a command that fails now and then several times, and says what only the failed runs printed", async () => {
    await write({
      "main.js": `const fs = require("node:fs");
const n = fs.existsSync("n") ? Number(fs.readFileSync("n", "utf8")) + 1 : 1;
fs.writeFileSync("n", String(n));
const row = n % 2 === 0 ? undefined : { total: n };
if (!row) console.log("cache miss after", n, "ms");
row.total;
`,
    });
    const run = await whence(["prove", "--json", "--times", "4", "--", process.execPath, "main.js"], {
      home: folder.path,
      env: environment(),
    });
    expect(run.code).toBe(0);
    expect(run.stderr).toMatch(/Time 1 passed after \d+\.\d s\.\n[\s\S]*Time 2 failed with exit code 1 after/);
    expect(run.stderr).toContain("Failed 2 of 4 times.\nOnly the runs that failed printed: cache miss after 2 ms\n");
    expect(incidentSchema.parse(JSON.parse(run.stdout)).report?.root_cause.location?.file).toBe("main.js");
  });

  it("says that a command passed each time", async () => {
    const { code, stderr } = await whence(["prove", "--times", "2", "--", process.execPath, "-e", "0"], {
      home: folder.path,
      env: { WHENCE_URL: "http://127.0.0.1:1" },
    });
    expect(code).toBe(0);
    expect(stderr).toContain("Failed 0 of 2 times.\nThe command passed each time: there is no failure to explain.");
  });

  it.each(["1", "101", "2.5", "some"])("takes from 2 to 100 times, not %s", async (times) => {
    expect((await whence(["prove", "--times", times, "--", "true"], { home: folder.path })).code).toBe(2);
  });

  it("says that a failing command printed nothing", async () => {
    const { code, stderr } = await whence(["prove", "--", process.execPath, "-e", "process.exit(3)"], {
      home: folder.path,
      env: { WHENCE_URL: "http://127.0.0.1:1" },
    });
    expect(code).toBe(1);
    expect(stderr).toContain("Run 1 failed with exit code 3.\nThe command failed without printing anything");
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGINT", 130],
  ] as const)("ends the command when it gets %s", async (signal, code) => {
    const waiting = "console.log(`pid ${process.pid}`); setInterval(() => {}, 1000);";
    const running = startWhence(["prove", "--", process.execPath, "-e", waiting], {
      home: folder.path,
      env: { WHENCE_URL: "http://127.0.0.1:1" },
    });
    const pid = await new Promise<number>((resolve) => {
      let said = "";
      running.stderr.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        const found = /pid (\d+)\n/.exec(said)?.[1];
        if (found !== undefined) resolve(Number(found));
      });
    });
    running.kill(signal);
    expect(await new Promise((resolve) => running.once("close", resolve))).toBe(code);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it("needs a command, and a time that is a number", async () => {
    expect((await whence(["prove"], { home: folder.path })).code).toBe(2);
    expect((await whence(["prove", "--within", "soon", "--", "true"], { home: folder.path })).code).toBe(2);
  });

  it("leaves nothing in the folder for temporary files", async () => {
    await write(program);
    const temporary = join(folder.path, "temporary");
    await mkdir(temporary);
    await proven("main.js", { TMPDIR: temporary });
    expect(await readdir(temporary)).toEqual([]);
  });
});
