// Prints failures in several calls, as launchers do.
const sdk = require(process.env.WHENCE_SDK);
sdk.init({ apiKey: "k", endpoint: process.env.WHENCE_ENDPOINT });

function fail(message) {
  return new TypeError(message);
}

const programs = {
  lineByLine() {
    for (const line of fail("printed line by line").stack.split("\n")) console.error(line);
    console.error();
    console.error("Node.js v26.0.0");
  },
  messageThenStack() {
    const error = fail("the message, then the stack");
    console.error(`failed to start: ${error.message}`);
    console.error(error.stack);
  },
  messageThenError() {
    const error = fail("the message, then the error");
    console.error(error.message);
    console.error(error);
  },
  capturedThenLines() {
    const error = fail("captured, then printed");
    sdk.captureException(error);
    for (const line of error.stack.split("\n")) console.error(line);
  },
  linesThenCaptured() {
    const error = fail("printed, then captured");
    for (const line of error.stack.split("\n")) console.error(line);
    sdk.captureException(error);
  },
  detailsOfAnError() {
    console.error(fail("an error with details"));
    console.error("  order: 31");
  },
  severalFailures() {
    console.error("order 31 is lost");
    console.error("order 32 is lost");
    console.error(fail("another"));
  },
  lineThenCrash() {
    const error = fail("printed, then thrown");
    console.error(`✖ ${error.message}`);
    throw error;
  },
};
programs[process.argv[2]]();
