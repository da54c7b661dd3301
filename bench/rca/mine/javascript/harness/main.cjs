"use strict";
// Runs one test file, written for any runner, and reports every test's outcome: `node main.cjs FILE`.
const assert = require("node:assert");
const Module = require("node:module");
const { extname } = require("node:path");
const { pathToFileURL } = require("node:url");
const results = require("./results.cjs");
const queue = require("./queue.cjs");
const described = require("./describe.cjs");
const tap = require("./tap.cjs");

const file = process.argv[2];
const { requires, exportsTests, tools } = JSON.parse(process.env.MINE_OPTIONS);

/** Modules of runners, and their replacements. */
const standIns = {
  tape: "./tap.cjs",
  "tape-catch": "./tap.cjs",
  tap: "./tap.cjs",
  ava: "./tap.cjs",
  test: "./tap.cjs",
  "node:test": "./describe.cjs",
  mocha: "./describe.cjs",
  "@jest/globals": "./jest.cjs",
  vitest: "./jest.cjs",
};

const load = Module._load;
Module._load = function (request, parent, isMain) {
  if (request === "chai" && !parent?.filename?.includes("/chai/"))
    return withRawErrors(load.call(this, request, parent, isMain));
  const standIn = Object.hasOwn(standIns, request) ? standIns[request] : undefined;
  if (standIn === undefined || parent?.filename?.startsWith(__dirname)) return load.call(this, request, parent, isMain);
  if (request === "ava" || request === "tap") tap.style.endsWithBody = request === "ava";
  if (request === "node:test") described.nodeStyle.on = true;
  const loaded = require(standIn);
  return request === "node:test" ? Object.assign(described.test, described, { default: described.test }) : loaded;
};

const adapted = new WeakSet();

/** Makes `expect(body).to.not.throw()` rethrow the thrown error. */
function withRawErrors(chai) {
  if (adapted.has(chai) || typeof chai.use !== "function") return chai;
  adapted.add(chai);
  chai.use(({ Assertion }, { flag }) => {
    for (const name of ["throw", "throws", "Throw"]) {
      Assertion.overwriteMethod(name, (original) => {
        return function (...given) {
          const body = flag(this, "object");
          if (flag(this, "negate") && given.length === 0 && typeof body === "function") return void body();
          return original.apply(this, given);
        };
      });
    }
  });
  return chai;
}

/** Provides the replacements to tests that are modules. */
function importTests() {
  const data = { standIns, folder: pathToFileURL(`${__dirname}/`).href };
  Module.register(pathToFileURL(`${__dirname}/esm-hooks.mjs`), { data });
  return import(pathToFileURL(file));
}

/** An assertion that only passes on an error throws the error itself. */
for (const form of [assert, assert.strict]) {
  form.ifError = (error) => {
    if (error !== null && error !== undefined) throw error;
  };
  form.doesNotThrow = (body) => void body();
}

const { scheduleAll, nodeStyle, ...globals } = described;
for (const [name, value] of Object.entries(globals)) globalThis[name] ??= value;
/** Only tests written for jest need these, and they load slowly. */
function lazyGlobal(name, read) {
  let value;
  const get = () => (value ??= read());
  const set = (given) => {
    value = given;
  };
  Object.defineProperty(globalThis, name, { configurable: true, get, set });
}
const requireTool = Module.createRequire(`${tools}/`);
lazyGlobal("expect", () => requireTool("expect").expect);
lazyGlobal("jest", () => requireTool("jest-mock"));
globalThis.QUnit = { test: tap, module: () => undefined, config: {}, start: () => undefined };

async function main() {
  for (const name of requires) {
    try {
      require(require.resolve(name, { paths: [process.cwd()] }));
    } catch {
      // A file that needs it fails on its own.
    }
  }
  const exported = await loadTests();
  scheduleAll();
  if (exportsTests && queue.size() === 0 && exported !== null && typeof exported === "object")
    tap.registerExports(exported, "");
  queue.next();
}

async function loadTests() {
  if (extname(file) === ".mjs") return importTests();
  try {
    return require(file);
  } catch (error) {
    if (error?.code === "ERR_REQUIRE_ESM" || /import statement outside|Unexpected token 'export'/.test(error?.message))
      return importTests();
    throw error;
  }
}

process.argv = [process.argv[0], file];
main().catch((error) => results.fail(error, results.wholeFile));
