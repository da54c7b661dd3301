"use strict";
// Blocks forever in a named function, after its first delivery.
const { init } = require(process.env.WHENCE_SDK);

init({ apiKey: "k", endpoint: process.env.WHENCE_ENDPOINT, hangWatch: true });

const never = new Int32Array(new SharedArrayBuffer(4));
function waitForever() {
  // In short waits: a thread is paused between them, and a loop without them takes a whole core.
  for (;;) Atomics.wait(never, 0, 0, 10);
}

setTimeout(waitForever, 11_000);
