"use strict";
// describe/it, suite/test, before/after: the styles of mocha, jest, jasmine, and node:test.
const queue = require("./queue.cjs");
const results = require("./results.cjs");

const root = { title: "", parent: undefined, before: [], after: [], beforeEach: [], afterEach: [], items: [] };
let open = root;

function context(title) {
  const self = {
    timeout: () => self,
    slow: () => self,
    retries: () => self,
    enableTimeouts: () => self,
    skip: () => {
      throw results.complaint("skipped");
    },
    test: { title, fullTitle: () => title },
    currentTest: { title, fullTitle: () => title, state: "passed" },
    runnable: () => self,
    // node:test
    diagnostic: () => undefined,
    after: () => undefined,
    plan: () => undefined,
    name: title,
    mock: {},
    test_: undefined,
  };
  return self;
}

function group(title, given, last) {
  const body = typeof given === "function" ? given : last;
  if (typeof body !== "function") return context(String(title));
  const suite = {
    title: String(title?.name ?? title),
    parent: open,
    before: [],
    after: [],
    beforeEach: [],
    afterEach: [],
    items: [],
  };
  open.items.push({ suite });
  const outer = open;
  open = suite;
  try {
    const returned = body.call(context(suite.title), context(suite.title));
    if (returned && typeof returned.catch === "function") returned.catch(() => undefined);
  } finally {
    open = outer;
  }
  return context(suite.title);
}

function single(title, given, last) {
  const body = typeof given === "function" ? given : typeof title === "function" ? title : last;
  if (typeof body === "function") open.items.push({ test: { title: String(title?.name ?? title), body } });
  return context(String(title));
}

/** Runs a function that may take a callback or return a promise. */
function call(body, self, usesCallback = body.length > 0) {
  if (!usesCallback) return Promise.resolve().then(() => body.call(self, self));
  return new Promise((resolve, reject) => {
    const done = (error) => (error ? reject(error) : resolve());
    done.fail = (error) => reject(error ?? results.complaint("done.fail"));
    const returned = body.call(self, done);
    if (returned && typeof returned.then === "function") returned.then(resolve, reject);
  });
}

const nodeStyle = { on: false };

function chainOf(suite) {
  return suite === undefined ? [] : [...chainOf(suite.parent), suite];
}

async function runTest(suite, test) {
  const self = context(test.title);
  const chain = chainOf(suite);
  for (const { beforeEach } of chain)
    for (const hook of beforeEach) await call(hook, self, !nodeStyle.on && hook.length > 0);
  try {
    if (nodeStyle.on) await call((t) => runNodeTest(test, t), self, false);
    else await call(test.body, self);
  } finally {
    for (const { afterEach } of chain.reverse())
      for (const hook of afterEach) await call(hook, self, !nodeStyle.on && hook.length > 0);
  }
}

function runNodeTest(test, t) {
  t.test = async (title, given, last) => {
    const body = typeof given === "function" ? given : last;
    if (typeof body === "function") await runNodeTest({ title, body }, context(String(title)));
  };
  t.assert = require("node:assert");
  if (test.body.length < 2) return test.body(t);
  return new Promise((resolve, reject) => test.body(t, (error) => (error ? reject(error) : resolve())));
}

function pathOf(suite) {
  return suite?.title ? [...pathOf(suite.parent), suite.title] : [];
}

function schedule(suite) {
  for (const hook of suite.before)
    queue.add([...pathOf(suite), "(before)"].join(" > "), () =>
      call(hook, context(""), !nodeStyle.on && hook.length > 0),
    );
  for (const { suite: inner, test } of suite.items) {
    if (inner) schedule(inner);
    else queue.add([...pathOf(suite), test.title].join(" > "), () => runTest(suite, test));
  }
  for (const hook of suite.after)
    queue.add([...pathOf(suite), "(after)"].join(" > "), () =>
      call(hook, context(""), !nodeStyle.on && hook.length > 0),
    );
}

/** Passes everything that was described to the queue. */
function scheduleAll() {
  schedule(root);
  root.items = [];
}

const ignored = () => undefined;
const each = (run) => (table) => (title, body) => {
  for (const row of table) run(`${title} ${String(row)}`, () => body(...(Array.isArray(row) ? row : [row])));
};
Object.assign(group, { only: group, skip: ignored, each: each(group) });
Object.assign(single, { only: single, skip: ignored, todo: ignored, each: each(single) });
const hook = (kind) => (first, second) => open[kind].push(typeof first === "function" ? first : second);

exports.describe = group;
exports.context = group;
exports.suite = group;
exports.it = single;
exports.specify = single;
exports.test = single;
exports.before = hook("before");
exports.beforeAll = exports.before;
exports.suiteSetup = exports.before;
exports.after = hook("after");
exports.afterAll = exports.after;
exports.suiteTeardown = exports.after;
exports.beforeEach = hook("beforeEach");
exports.setup = exports.beforeEach;
exports.afterEach = hook("afterEach");
exports.teardown = exports.afterEach;
exports.xit = ignored;
exports.xdescribe = ignored;
exports.scheduleAll = scheduleAll;
exports.nodeStyle = nodeStyle;
