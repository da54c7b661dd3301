"use strict";
// Stands still for ever in a named function, once it was heard.
const { init } = require(process.env.WHENCE_SDK);

init({ apiKey: "k", endpoint: process.env.WHENCE_ENDPOINT, hangWatch: true });

function waitForever() {
  for (;;);
}

setTimeout(waitForever, 11_000);
