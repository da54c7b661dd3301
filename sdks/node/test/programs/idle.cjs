"use strict";
// Has an unanswered request in progress, and nothing else to do.
const { captureException, flush, init } = require(process.env.WHENCE_SDK);

init({ apiKey: "k", endpoint: process.env.WHENCE_ENDPOINT });
captureException(new Error("one"));
void flush(100).then((delivered) => console.log(delivered));
