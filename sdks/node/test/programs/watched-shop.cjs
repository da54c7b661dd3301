"use strict";
// Waits until its places are watched, serves orders as its argument says, and prints what a program could notice.
const { rmSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { inspect } = require("node:util");
const { compileFunction } = require("node:vm");
const inspector = require("node:inspector");
const { AWAITS, PLAN = "./watched-plan.cjs", LATER } = process.env;
let isArmed = false;
for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream);
  stream.write = (text, ...more) => {
    isArmed ||= String(text).includes("watching programs");
    return write(text, ...more);
  };
}
const { init, captureException, flush } = require(join(process.env.WHENCE_SDK, "index.cjs"));
const { whenceJob } = require(join(process.env.WHENCE_SDK, "frameworks/jobs.cjs"));
const { callOften, keepFailure, returnLarge } = require("./watched-plan.cjs");
const { planOf } = require(PLAN);
if (LATER === "") rmSync(PLAN);
if (LATER) writeFileSync(PLAN, LATER);

const { WHENCE_ENDPOINT: endpoint, WATCH = "true" } = process.env;
const warnings = [];
process.removeAllListeners("warning");
process.on("warning", ({ message }) => warnings.push(message));
const watch = WATCH === "true" || (WATCH !== "" && WATCH);
init({ apiKey: "k", service: "shop", release: "7", endpoint, spool: false, watch, redact: ["iban"] });

const serveAs = (job) =>
  whenceJob(job, async (customer) => {
    /(b+)/.exec("abbc");
    const plan = planOf(customer);
    const matched = RegExp.$1;
    await undefined;
    if (plan === undefined) captureException(new Error(`no plan for ${customer.id}`));
    return matched;
  });
const serve = serveAs("serve");

const logFirst = whenceJob("log first", async (customer) => {
  planOf(customer);
  const error = new Error("logged first");
  console.error(error);
  await new Promise((resolve) => setTimeout(resolve, 600));
  captureException(error);
});

const loop = whenceJob("loop", (times) => {
  const sum = callOften(times);
  captureException(new Error("looped"));
  return sum;
});
const large = whenceJob("large", returnLarge);
const plan = whenceJob("plan", planOf);

const ran = [];
const trap = new Proxy({}, { get: () => ran.push("trap"), ownKeys: () => ran.push("trap") && [] });
const customer = (id) => ({
  id,
  trap,
  password: "hunter2",
  note: "the key is AKIAABCDEFGHIJKLMNOP",
  iban: "DE89",
  get vip() {
    ran.push("getter");
    return true;
  },
  toString() {
    ran.push("toString");
    return id;
  },
});

/** Sends events, whose answers carry orders, four times, or, if that is awaited, until the client says that it watches. */
async function armed() {
  for (let asked = 0; asked < 4 || (AWAITS === "armed" && !isArmed && asked < 30); asked += 1) {
    captureException(new Error("hello"));
    await flush();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Has the program write stacks. */
function writeStacks() {
  Error.prepareStackTrace = (error) => ran.push("stack") && String(error);
}

async function main() {
  const [action] = process.argv.slice(2);
  if (action === "stacks") writeStacks();
  // A job that has failed is watched longer.
  if (action === "loop") loop(1);
  await armed();
  const shown = [];
  if (action === "stacks" || action === "stacks later") {
    writeStacks();
    await new Promise((resolve) => setTimeout(resolve, 600));
    const failure = new Error("kept");
    ran.length = 0;
    shown.push(keepFailure(failure).message, ...ran.splice(0));
  }
  if (action === "serve") shown.push(await serve(customer("p9")));
  // Each under a name of its own, as requests for different orders have different paths.
  if (action === "serve many") for (const id of [1, 2, 3, 4]) await serveAs(`orders/${id}`)(customer(`p9${id}`));
  if (action === "log first") await logFirst(customer("p9"));
  if (action === "secrets") await serve(Object.assign(customer("p9"), { rope: "x".repeat(1e8) }));
  // On a busy machine, the first stops would use up the time of the job that all should be in.
  if (action === "loop") for (const times of [1, 1, 1, 200_000]) shown.push(loop(times));
  if (action === "large") shown.push(large());
  if (action === "statement") {
    const statement = compileFunction("debugger");
    for (let at = 0; at < 1_000; at += 1) statement();
    await serve(customer("p9"));
  }
  if (action === "debugger") {
    inspector.open(0);
    plan(customer("p1"));
    inspector.close();
    await serve(customer("p9"));
  }
  await flush();
  captureException(new Error("bye"));
  await flush();
  process.stdout.write(`${inspect({ shown, ran, warnings }, { breakLength: Infinity, maxStringLength: 300 })}\n`);
}
void main();
