import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, hits, useProgramFolder, written } from "./watched-folder.ts";
import { place, program, run } from "./watched-node.ts";

describe("a watched program", () => {
  useProgramFolder();

  it("names the files of the tree that it loaded, up to a limit, and none of installed packages", async () => {
    await program("node_modules/p/index.js", "");
    await program("a.mjs", 'import "p";');
    for (const name of ["b.mjs", "c.mjs"]) await program(name, "");
    const main = await program("main.mjs", 'import "./a.mjs";\nimport "./b.mjs";\n');
    await run(main, { places: [] });
    const loaded = async () => (await written()).flatMap(({ files }) => files).sort();
    expect(await loaded()).toEqual([join(folder, "a.mjs"), join(folder, "b.mjs"), main]);
    await program("main.mjs", 'import "./a.mjs";\nimport "./b.mjs";\nimport "./c.mjs";\n');
    await run(main, { places: [], base: join(folder, "other") });
    expect(await loaded()).toHaveLength(3);
    await run(main, { places: [] });
    expect(await loaded()).toHaveLength(6);
  });

  it("leaves out what called the outermost call of its own, as a test runner does", async () => {
    const each = await program("node_modules/p/each.js", "module.exports = (run) => [1].map((one) => run(one));\n");
    const file = await program(
      "program.js",
      `const each = require("p/each.js");
exports.outer = () => each(inner);
function inner() {
  throw new Error("no stock");
}
`,
    );
    const runner = await program("node_modules/p/runner.js", 'try { require("../../program.js").outer(); } catch {}\n');
    await run(runner, { places: [], failures: ["no stock"] });
    expect((await hits()).map((hit) => hit.file)).toEqual([file, each, each, file]);
  });

  it("recognizes the failure by its message in an error that isn't one of V8's", async () => {
    const file = await program(
      "program.js",
      `function Failed(message) {
  this.message = message;
}
function check(a, b) {
  throw new Failed("expected " + a + " to equal " + b);
}
try { check(1, 2); } catch {}
`,
    );
    await run(file, { places: [], failures: ["expected 1 to equal 2"] });
    expect((await hits()).map(({ error, function: name }) => [name, error])).toEqual([
      ["check", "Failed: expected 1 to equal 2"],
      [null, "Failed: expected 1 to equal 2"],
    ]);
  });

  it.each([
    ["an uncaught error", `function f(x) {\n  return x.y;\n}\nconsole.log("a");\nf(undefined);\n`],
    ["a rejected promise", `async function f(x) {\n  await 0;\n  return x.y;\n}\nf(undefined);\n`],
    ["process.exit", `function f(x) {\n  process.exit(x);\n}\nprocess.stderr.write("e");\nf(7);\n`],
    ["a caught error", `function f(x) {\n  try { x.y; } catch (e) { console.log(e.stack); }\n}\nf();\n`],
    ["a signal", `function f() {\n  process.kill(process.pid, "SIGKILL");\n  for (;;);\n}\nf();\n`],
    [
      "listeners of its own",
      `process.on("uncaughtException", (e) => {\n  console.log(e.message);\n});\nthrow new Error("x");\n`,
    ],
  ])("ends as it would unwatched: %s", async (_, code) => {
    for (const name of ["program.cjs", "program.mjs"]) {
      const file = await program(name, code);
      const alone = await run(file);
      expect(await run(file, { places: [place(file, 2, 1)], failures: ["y"] })).toEqual(alone);
    }
  });

  it("is read without running its code", async () => {
    const file = await program(
      "program.cjs",
      `const touched = [];
const proxy = new Proxy({ a: 1 }, { get: () => touched.push("get"), ownKeys: () => touched.push("keys"), getPrototypeOf: () => touched.push("proto") });
const object = { get field() { touched.push("getter"); return 1; }, toString() { touched.push("toString"); return ""; }, toJSON() { touched.push("toJSON"); } };
function f(proxy, object) {
  return [proxy, object];
}
f(proxy, object);
console.log(touched.length);
`,
    );
    expect((await run(file, { places: [place(file, 5, 4)] })).stdout).toBe("0\n");
    const [reached] = await hits();
    expect(reached?.values).toEqual({
      proxy: "[proxy]",
      object: '{"field": [getter], "toString": [function], "toJSON": [function]}',
    });
  });

  it("is read in bounds, and redacted by name at any depth", async () => {
    const file = await program(
      "program.cjs",
      `function f(long, password, user) {
  return long.length;
}
f("x".repeat(100_000_000), "hunter2", { name: "ada", token: "t0k3n", deep: { session: "s3ss" } });
`,
    );
    await run(file, { places: [place(file, 2, 1)] });
    const found = await hits();
    expect(found[0]?.values).toEqual({
      long: `"${"x".repeat(198)}…`,
      password: "[redacted]",
      user: '{"name": "ada", "token": [redacted], "deep": {"session": [redacted]}}',
    });
    expect(JSON.stringify(found)).not.toMatch(/hunter2|t0k3n|s3ss/);
  });

  it("is read without its credentials: by the end of a name, and by their form before they are cut", async () => {
    const claims = "eyJzdWIiOiIxMjM0NTY3ODkwIiwiZW1haWwiOiJhZGFAZXhhbXBsZS5jb20i".padEnd(300, "Q0xBSU1T");
    const jwt = `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.${claims}.${"s1gn4tur".repeat(7)}`.slice(0, 390);
    const file = await program(
      "program.cjs",
      `function f(clientSecret, header, list, endless, nextToken, url) {
  if (!clientSecret) throw new Error("refused: " + header);
  return [clientSecret.length, header, list, endless];
}
function issueApiKey() {
  return "hunter2-plain";
}
const jwt = ${JSON.stringify(jwt)};
f("hunter2-plain", jwt, [{ dbPassword: "hunter2-plain".padEnd(500, "!"), [jwt]: "x".repeat(20), jwt }], "Bearer " + jwt.replaceAll(".", ".".padEnd(4_000, "Q0xBSU1T")), undefined, "postgres://app:hunter2-plain@db");
issueApiKey();
try { f(undefined, jwt); } catch {}
`,
    );
    await run(file, { places: [place(file, 3, 1), place(file, 6, 5)], failures: ["refused"] });
    const found = await hits();
    expect(found.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["reached", "returned", "threw"]));
    expect(found.find(({ line }) => line === 3)?.values).toMatchObject({
      clientSecret: "[redacted]",
      header: expect.stringMatching(/^"\*+…$/),
      nextToken: "undefined",
      url: '"postgres://app:*************@db"',
    });
    expect(found.find(({ kind, function: name }) => kind === "returned" && name === "issueApiKey")?.returned).toBe(
      "[redacted]",
    );
    expect(JSON.stringify(found)).not.toMatch(/hunter2|eyJ|Q0xB|s1gn/);
  });

  it("says what a function returned, and what a promise was resolved with", async () => {
    const file = await program(
      "program.cjs",
      `function f(x) {
  if (x > 1) return { x };
}
async function g() {
  await 0;
  return "late";
}
f(2), f(1), g();
`,
    );
    await run(file, { places: [place(file, 2, 1), place(file, 6, 4)] });
    const returned = (await hits()).filter(({ kind }) => kind === "returned");
    expect(returned.map(({ function: name, returned: value }) => [name, value])).toEqual([
      ["f", '{"x": 2}'],
      ["f", "undefined"],
      ["g", '"late"'],
    ]);
  });

  it("keeps the latest 20 stops at a place, and counts all of them", async () => {
    const file = await program("program.cjs", `function f(x) {\n  return x;\n}\nfor (let i = 1; i <= 50; i++) f(i);\n`);
    await run(file, { places: [place(file, 2)] });
    const [part] = await written();
    expect(part?.places).toEqual([{ place: 0, hits: 100, is_complete: true }]);
    const reached = part?.hits.filter(({ kind }) => kind === "reached");
    expect(reached?.map(({ values }) => values.x)).toEqual(Array.from({ length: 20 }, (_, index) => `${index + 31}`));
  });

  it("gives a place up when it is reached too often, and says so", async () => {
    const file = await program("program.cjs", `function f(x) {\n  return x;\n}\nfor (let i = 1; i <= 50; i++) f(i);\n`);
    await run(file, { places: [place(file, 2)], stopsPerPlaceMax: 10 });
    expect((await written()).at(-1)?.places).toMatchObject([{ place: 0, is_complete: false }]);
  });

  it.each([
    ["stops at places took most of the time", { pauseMsMax: 100 }],
    ["the time for places is over", { placesUntil: 0 }],
  ])("sees the failure after %s", async (_, bounds) => {
    const file = await program(
      "program.cjs",
      `function busy(number) {
  return number + 1;
}
for (let i = 0; i < 4_000; i++) busy(i);
try { throw new Error("no stock"); } catch {}
`,
    );
    await run(file, { places: [place(file, 2, 1)], failures: ["no stock"], stopsPerPlaceMax: 1_000_000, ...bounds });
    expect((await written()).at(-1)?.places).toMatchObject([{ place: 0, is_complete: false }]);
    expect((await hits()).filter(({ kind }) => kind === "threw")).toMatchObject([{ line: 5 }]);
  });

  it.each([
    ["it does", 12, true],
    ["there are too many", 30, false],
  ])("says whether it stops wherever a function returns: %s", async (_, count, isComplete) => {
    const cases = Array.from({ length: count }, (_none, index) => `    case ${index}: return ${index};\n`);
    const file = await program(
      "program.cjs",
      `function f(x) {\n  switch (x) {\n${cases.join("")}  }\n}\nf(${count - 1});\n`,
    );
    await run(file, { places: [place(file, 2, 1)] });
    expect((await written()).at(-1)?.places).toMatchObject([{ place: 0, is_complete: isComplete }]);
    const returned = (await hits()).filter(({ kind }) => kind === "returned");
    expect(returned.map((hit) => hit.returned)).toEqual(isComplete ? [`${count - 1}`] : []);
  });

  it("writes the last throw of the failure, even after many like it", async () => {
    const file = await program(
      "program.cjs",
      `function f(x) {\n  throw new Error("no " + x);\n}\nfor (let i = 1; i <= 200; i++) try { f(i); } catch {}\n`,
    );
    await run(file, { places: [place(file, 2, 1)], failures: ["no "], throwsMax: 1_000, writtenLengthMax: 10_000 });
    const last = (await hits()).filter(({ kind, line }) => kind === "threw" && line === 2).at(-1);
    expect(last?.values).toEqual({ x: "200" });
  });

  it("takes only the error that failed for the failure", async () => {
    const file = await program(
      "program.cjs",
      `function f(x) {\n  throw new Error(x);\n}\nfor (const x of ["0", "gone"]) try { f(x); } catch {}\n`,
    );
    await run(file, { places: [], failures: ["gone"] });
    const threw = (await hits()).filter(({ line }) => line === 2);
    expect(threw.map(({ error, values }) => [error, values])).toEqual([
      ["Error: 0", {}],
      ["Error: gone", { x: '"gone"' }],
    ]);
  });

  it("keeps what its last regular expression matched", async () => {
    const file = await program(
      "program.cjs",
      `function f(text, n) {\n  return n;\n}\n/b(c)/.exec("abcd");\nf("text", 9007199254740993n);\nconsole.log(RegExp.$1, RegExp.lastMatch, RegExp.leftContext);\n`,
    );
    const { stdout } = await run(file, { places: [place(file, 2, 1)] });
    expect(stdout).toBe("c bc a\n");
    expect((await hits())[0]?.values).toEqual({ text: '"text"', n: "9007199254740993n" });
  });

  it("isn't watched in scripts that are no files", async () => {
    const code = `export const f = () => { throw new Error("gone"); };${" ".repeat(2_000)}`;
    const file = await program(
      "program.mjs",
      `import { f } from "data:text/javascript,${encodeURIComponent(code)}";\ntry { f(); } catch {}\n`,
    );
    await run(file, { places: [], failures: ["gone"] });
    expect((await hits()).map((hit) => hit.file)).toEqual([file]);
  });

  it("says which code was loaded and never reached", async () => {
    const file = await program("program.cjs", `function f() {\n  return 1;\n}\nconsole.log(typeof f);\n`);
    await run(file, { places: [place(file, 2, 1), place(join(folder, "other.cjs"), 1)] });
    expect((await written()).at(-1)?.places).toEqual([{ place: 0, hits: 0, is_complete: true }]);
  });

  it("follows the calls that a call makes", async () => {
    const file = await program(
      "program.cjs",
      `const inner = (x) => x * 2;
const middle = (x) => inner(x) + 1;
function outer(x) {
  const y = middle(x);
  return y;
}
outer(1), outer(2);
`,
    );
    await run(file, { places: [{ ...place(file, 4, 3), follow_from: 2 }] });
    const followed = (await hits()).filter(({ kind, nth }) => kind === "returned" && nth === 0);
    expect(followed.map(({ function: name, returned }) => [name, returned])).toEqual([
      ["inner", "4"],
      ["middle", "5"],
      ["outer", "5"],
    ]);
  });

  it("is watched by the lines of its sources", async () => {
    const map = { version: 3, sources: ["source.ts"], names: [], mappings: "AAAA;AAEA;AACA" };
    const file = await program(
      "program.cjs",
      `function f(x) {\n  return x;\n}\nf(5);\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString("base64")}\n`,
    );
    await run(file, { places: [place(join(folder, "source.ts"), 3)] });
    const [hit] = await hits();
    expect([hit?.file, hit?.line, hit?.values]).toEqual([join(folder, "source.ts"), 3, { x: "5" }]);
  });
});
