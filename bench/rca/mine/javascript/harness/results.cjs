"use strict";
// Writes the outcome of each test as JSON when the process exits; the runner that starts this reads it.
const { writeFileSync } = require("node:fs");
const { inspect } = require("node:util");

const results = new Map();
let current;

/** Names the running test, which gets errors without an owner. */
function start(name) {
  let unique = name;
  for (let copy = 2; results.has(unique); copy += 1) unique = `${name} #${copy}`;
  current = unique;
  results.set(unique, { name: unique, failed: false, ended: false });
  return unique;
}

/** Records the first thrown error of a test; a failed assertion is kept only until an error is thrown. */
function fail(error, name = current) {
  const result = results.get(name);
  const crash = describe(error);
  result.failed = true;
  if (result.crash === undefined && crash !== undefined) result.crash = crash;
}

function end(name) {
  const result = results.get(name);
  if (result !== undefined) result.ended = true;
}

const assertionWords =
  /Assert|^(expected|Expected|Unexpected exception|Got unwanted exception|Missing expected|Timeout of|done\(\))/;

/** An assertion that there is no error says less than the error itself. */
function asserted(error) {
  const actual = error?.actual ?? error?.matcherResult?.actual;
  const expected = error?.expected ?? error?.matcherResult?.expected;
  const wanted = expected === undefined || expected === null || expected === false;
  return actual instanceof Error && wanted ? actual : error;
}

function describe(given) {
  const error = asserted(given);
  if (!(error instanceof Error) && Object.prototype.toString.call(error) !== "[object Error]") return undefined;
  const own = Object.keys(error);
  const asserts =
    error.harness === true ||
    error.code === "ERR_ASSERTION" ||
    assertionWords.test(error.name) ||
    assertionWords.test(String(error.message)) ||
    assertionWords.test(error.constructor?.name ?? "") ||
    ["actual", "expected", "showDiff", "matcherResult"].some((key) => own.includes(key));
  if (asserts || typeof error.stack !== "string") return undefined;
  let text;
  try {
    text = inspect(error);
  } catch {
    text = error.stack;
  }
  return { name: String(error.name), message: String(error.message), stack: error.stack, text };
}

process.on("uncaughtException", (error) => {
  fail(error);
  afterUncaught();
});
process.on("unhandledRejection", (error) => {
  fail(error);
  afterUncaught();
});
/** Stands for loading the file, and for a file without tests. */
const wholeFile = "(file)";
start(wholeFile);
process.on("exit", () => end(wholeFile));
process.on("exit", () => writeFileSync(process.env.MINE_RESULT, JSON.stringify([...results.values()])));

let afterUncaught = () => undefined;
/** Calls `listener` after an error that no test caught itself. */
function onUncaught(listener) {
  afterUncaught = listener;
}

/** A failure of the harness or of an assertion, which isn't a crash. */
function complaint(message) {
  return Object.assign(new Error(message), { harness: true });
}

module.exports = { start, fail, end, onUncaught, complaint, wholeFile, count: () => results.size };
