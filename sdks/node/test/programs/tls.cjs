"use strict";
// Reports an error, then dies of another one.
const { captureException, flush, init } = require(process.env.WHENCE_SDK);

init({ apiKey: "k", endpoint: process.env.WHENCE_ENDPOINT });
captureException(new Error("caught"));
void flush(2_000).then(() => {
  setImmediate(() => {
    throw new Error("the end");
  });
});
