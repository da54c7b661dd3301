"use strict";
// Runs tests of every style from one queue, one after another.
const results = require("./results.cjs");

const testMsMax = 4_000;
/** How long the process may stay alive after the last test. */
const lingerMsMax = 1_500;
const waiting = [];
let running;
/** How many tests the running one has added ahead of the others. */
let nested = 0;

/** Adds a test: `run(finish)` calls `finish(error?)` once. */
function add(name, run) {
  waiting.push({ name, run });
}

/** Adds a test that was found while another runs, ahead of the others, since that one may be waiting for it. */
function addNested(name, run) {
  waiting.splice(nested, 0, { name, run });
  nested += 1;
  running = undefined;
  setImmediate(next);
}

function next() {
  if (running !== undefined) return;
  const test = waiting.shift();
  if (test === undefined) {
    if (results.count() > 1) setTimeout(exitWhenIdle, lingerMsMax).unref();
    return;
  }
  nested = 0;
  const id = results.start(test.name);
  let over = false;
  const slot = {};
  const finish = (error) => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    if (error) results.fail(error, id);
    results.end(id);
    if (running === slot) running = undefined;
    setImmediate(next);
  };
  const timer = setTimeout(() => finish(results.complaint("Timeout of the test")), testMsMax);
  slot.finish = finish;
  running = slot;
  try {
    const returned = test.run(finish);
    if (returned && typeof returned.then === "function") {
      returned.then(
        () => finish(),
        (error) => finish(error ?? results.complaint("rejected with nothing")),
      );
    }
  } catch (error) {
    finish(error ?? results.complaint("threw nothing"));
  }
}

function exitWhenIdle() {
  if (running === undefined && waiting.length === 0) process.exit();
}

results.onUncaught(() => running?.finish(results.complaint("an error that no test caught")));
process.on("beforeExit", () => {
  if (running !== undefined) running.finish(results.complaint("never ended"));
  else if (waiting.length > 0) setImmediate(next);
});

module.exports = { add, addNested, next, size: () => waiting.length };
