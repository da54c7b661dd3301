"use strict";
// Waits as its second argument says, serves a job that reaches a watched place, and ends as its first argument says.
const { AsyncLocalStorage } = require("node:async_hooks");
const { join } = require("node:path");
const { inspect } = require("node:util");
const { planOf } = require("./watched-plan.cjs");

const [ending, awaits] = process.argv.slice(2);
const { WHENCE_SDK: sdk, WHENCE_ENDPOINT: endpoint } = process.env;
let isArmed = false;
/** The client's own line isn't part of what is compared. */
process.removeAllListeners("warning");
process.on("warning", ({ message }) => {
  isArmed ||= message.includes("watching programs");
  if (!message.startsWith("@whence/node: watching")) process.stderr.write(`${message}\n`);
});

// Up to Node 20, stacks have one more line once any is in use.
const storage = new AsyncLocalStorage();
let serve = (customer) => storage.run({}, planOf, customer);
let report = () => undefined;
if (sdk !== undefined) {
  const { init, captureException } = require(join(sdk, "index.cjs"));
  const { whenceJob } = require(join(sdk, "frameworks/jobs.cjs"));
  init({ apiKey: "k", service: "shop", release: "7", endpoint, spool: false, watch: true });
  serve = whenceJob("serve", planOf);
  report = () => captureException(new Error("hello"));
}

const endings = {
  "runs to its end": () => undefined,
  "exits with a code": () => process.exit(3),
  "sets its exit code": () => {
    process.exitCode = 4;
  },
  "throws what it was given": (plan) => {
    process.stdout.write(plan.name);
  },
  "rejects without a handler": async (plan) => plan.name,
  "ends by a signal": () => process.kill(process.pid, "SIGTERM"),
  "handles what it throws": (plan) => {
    process.on("uncaughtException", ({ message }) => process.stdout.write(`${message}\n`));
    process.stdout.write(plan.name);
  },
};

async function main() {
  for (let asked = 0; awaits === "armed" && sdk !== undefined && !isArmed && asked < 100; asked += 1) {
    report();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  if (awaits === "armed" && sdk !== undefined && !isArmed) process.exit(99);
  const customer = {
    id: "p1",
    get vip() {
      return process.stdout.write("getter\n");
    },
  };
  process.stdout.write(`${inspect(serve(customer))}\n`);
  customer.id = "p9";
  const plan = serve(customer);
  process.stdout.write(`${inspect(plan)}\n`);
  setImmediate(() => void endings[ending](plan));
}
void main();
