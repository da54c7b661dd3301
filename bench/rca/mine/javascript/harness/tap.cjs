"use strict";
// The test object `t` of tape, tap, ava, nodeunit, and QUnit, and the function that registers tests with it.
const assert = require("node:assert");
const queue = require("./queue.cjs");
const results = require("./results.cjs");

/** name → (arguments) → whether it holds; synonyms share a line. */
const checks = [
  [["ok", "true", "assert", "truthy", "isTrue"], (value) => Boolean(value)],
  [["notOk", "false", "notok", "falsy", "isFalse"], (value) => !value],
  [
    ["equal", "equals", "isEqual", "is", "strictEqual", "strictEquals"],
    (left, right) => left === right || Object.is(left, right) || (nodeunit.on && String(left) === String(right)),
  ],
  [
    ["not", "notEqual", "notEquals", "notStrictEqual", "isNot", "inequal", "isNotEqual", "doesNotEqual"],
    (left, right) => left !== right,
  ],
  [
    [
      "deepEqual",
      "same",
      "isDeepEqual",
      "deepEquals",
      "strictSame",
      "deepStrictEqual",
      "isEquivalent",
      "equivalent",
      "strictDeepEqual",
      "strictDeepEquals",
      "deepLooseEqual",
      "looseEqual",
      "looseEquals",
      "propEqual",
      "sameStrict",
    ],
    (left, right) => isDeep(left, right),
  ],
  [
    ["notDeepEqual", "notSame", "notDeepEquals", "inequivalent", "strictNotSame", "notStrictSame", "isNotDeepEqual"],
    (left, right) => !isDeep(left, right),
  ],
  [
    ["match", "like", "matches", "has", "hasStrict", "similar", "regex"],
    (value, pattern) => !(pattern instanceof RegExp) || pattern.test(String(value)),
  ],
  [
    ["doesNotMatch", "notMatch", "notRegex"],
    (value, pattern) => !(pattern instanceof RegExp) || !pattern.test(String(value)),
  ],
  [["type", "isa", "isA"], () => true],
  [
    [
      "pass",
      "comment",
      "diag",
      "log",
      "skip",
      "expect",
      "timeout",
      "timeoutAfter",
      "setTimeout",
      "autoend",
      "on",
      "once",
      "bailout",
      "todo",
    ],
    () => true,
  ],
  [["fail"], () => false],
  [["throws"], (body, expected) => throwsAs(body, expected)],
];
const nodeunit = { on: false };

function isDeep(left, right) {
  try {
    assert.deepEqual(left, right);
    return true;
  } catch {
    return false;
  }
}

function throwsAs(body, expected) {
  try {
    body();
  } catch (error) {
    return !(expected instanceof RegExp) || expected.test(String(error?.message ?? error));
  }
  return false;
}

/** Creates a `t`; `end` is called when the test ends itself. */
function createT(name, end) {
  const cleanups = [];
  let expected;
  let seen = 0;
  const counted = () => {
    seen += 1;
    if (expected !== undefined && seen === expected) setImmediate(finish);
  };
  const finish = (error) => {
    for (const cleanup of cleanups.splice(0)) cleanup();
    end(error instanceof Error ? error : undefined);
  };
  const t = { name, context: {}, endsItself: () => expected !== undefined };
  for (const [names, holds] of checks) {
    for (const check of names) {
      t[check] = (...given) => {
        const held = holds(...given);
        // Where no error is expected, the actual one says more.
        const unwanted =
          given[0] instanceof Error && (given.length < 2 || typeof given[1] !== "object" || given[1] === null);
        if (!held) results.fail(unwanted ? given[0] : results.complaint(check));
        counted();
        return held;
      };
    }
  }
  t.error =
    t.ifError =
    t.ifErr =
    t.iferror =
      (error) => {
        if (error) results.fail(error);
        counted();
      };
  t.doesNotThrow = t.notThrows = (body) => {
    try {
      const returned = body();
      counted();
      return returned;
    } catch (error) {
      results.fail(error);
      counted();
    }
  };
  t.rejects = t.throwsAsync = async (given) => {
    try {
      await (typeof given === "function" ? given() : given);
    } catch (error) {
      counted();
      return error;
    }
    results.fail(results.complaint("rejects"));
    counted();
  };
  t.resolves =
    t.notThrowsAsync =
    t.resolveMatch =
      async (given) => {
        const value = await (typeof given === "function" ? given() : given);
        counted();
        return value;
      };
  t.plan = (count) => {
    expected = count;
    if (count === 0) setImmediate(finish);
  };
  t.end = t.done = finish;
  t.threw = (error) => results.fail(error);
  t.teardown = t.tearDown = t.afterEach = (cleanup) => cleanups.push(cleanup);
  t.async = () => finish;
  t.testdir = () => require("node:fs").mkdtempSync(`${require("node:os").tmpdir()}/tap-`);
  t.test = (...given) => {
    const entry = entryOf(given, name);
    if (expected !== undefined) counted();
    if (entry === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      queue.addNested(entry.name, (finishInner) =>
        entry.run((error) => {
          resolve();
          finishInner(error);
        }),
      );
    });
  };
  t.test.skip = t.skip;
  return t;
}

function entryOf(given, outer) {
  const title =
    given.find((value) => typeof value === "string") ?? given.find((value) => typeof value === "function")?.name ?? "";
  const options = given.find((value) => value !== null && typeof value === "object");
  const body = given.findLast((value) => typeof value === "function");
  if (body === undefined || options?.skip || options?.todo) return undefined;
  const name = outer ? `${outer} > ${title}` : title || "(unnamed)";
  const run = (finish) => {
    const t = createT(name, finish);
    t.endsWithBody = body.length === 0;
    const returned = body.call(t, t, t.end);
    if (returned && typeof returned.then === "function") {
      returned.then(
        () => {
          if (!t.endsItself()) finish();
        },
        (error) => finish(error ?? results.complaint("rejected with nothing")),
      );
      return undefined;
    }
    if (t.endsWithBody || style.endsWithBody) setImmediate(finish);
    return undefined;
  };
  return { name, run };
}

const style = { endsWithBody: false };

function register(...given) {
  const entry = entryOf(given, "");
  if (entry !== undefined) queue.add(entry.name, entry.run);
  setImmediate(queue.next);
  return Promise.resolve();
}

/** Registers tests that a module exports, as in nodeunit and expresso. */
function registerExports(tests, prefix, setUps = [], tearDowns = []) {
  nodeunit.on = true;
  const ups = typeof tests.setUp === "function" ? [...setUps, tests.setUp] : setUps;
  const downs = typeof tests.tearDown === "function" ? [tests.tearDown, ...tearDowns] : tearDowns;
  for (const [key, value] of Object.entries(tests)) {
    if (key === "setUp" || key === "tearDown") continue;
    const name = prefix ? `${prefix} > ${key}` : key;
    if (value !== null && typeof value === "object") registerExports(value, name, ups, downs);
    if (typeof value !== "function") continue;
    queue.add(name, (finish) => {
      const self = {};
      const t = createT(name, (error) => each(downs, self, () => finish(error)));
      each(ups, self, () => {
        value.call(self, t, t.end);
        if (value.length === 0) finish();
      });
    });
  }
}

function each(hooks, self, then) {
  const [first, ...rest] = hooks;
  if (first === undefined) then();
  else first.call(self, () => each(rest, self, then));
}

const ignored = () => undefined;
const { name: _, ...root } = createT("", ignored);
Object.assign(register, root, {
  test: register,
  only: register,
  serial: register,
  skip: ignored,
  failing: ignored,
  todo: ignored,
  cb: register,
  before: (body) => register("(before)", body),
  after: ignored,
  beforeEach: ignored,
  afterEach: ignored,
  teardown: ignored,
  tearDown: ignored,
  end: ignored,
  plan: ignored,
  onFinish: ignored,
  onFailure: ignored,
  createHarness: () => register,
  getHarness: () => register,
  createStream: () => new (require("node:stream").PassThrough)(),
});
register.default = register;

module.exports = register;
module.exports.register = register;
module.exports.registerExports = registerExports;
module.exports.style = style;
