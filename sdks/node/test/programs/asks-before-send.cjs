"use strict";
// Fails several times, and throws while an async `beforeSend` processes the failures. Arguments: how it answers, how
// often.
const client = require("#client");

const [, , answer, count] = process.argv;
let asked = 0;
let isCrashing = false;
const answers = {
  "answers later": (event) => new Promise((resolve) => setTimeout(resolve, 60_000, event)),
  "never answers": () => new Promise(() => undefined),
  "fails at the crash": (event) => {
    if (isCrashing) throw new Error("beforeSend failed");
    return new Promise((resolve) => setTimeout(resolve, 60_000, event));
  },
};

const beforeSend = (event) => {
  asked += 1;
  if (asked === Number(count)) setImmediate(crash);
  return answers[answer](event);
};

client.init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT, beforeSend, spool: false });
for (let number = 1; number <= Number(count); number++) client.captureException(new Error(`waiting ${number}`));
// Without the client, the hook isn't called.
if (client.flush) void client.flush();
else setImmediate(crash);

function crash() {
  isCrashing = true;
  throw new Error("the last one");
}
