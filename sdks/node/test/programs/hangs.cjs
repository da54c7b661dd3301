"use strict";
// Blocks forever in a named function, after its first delivery.
const { init } = require(process.env.WHENCE_SDK);

init({ apiKey: "k", endpoint: process.env.WHENCE_ENDPOINT, hangWatch: true });

function waitForever() {
  for (;;);
}

setTimeout(waitForever, 11_000);
