"use strict";
// Captures ten errors and is then ended by the parent.
const { loadAdapter, onQuestion, say } = require("./adapter.cjs");
const { makeError } = require("./errors.cjs");

const { adapter, context } = loadAdapter();
adapter.init(process.argv[3], context);
setInterval(() => undefined, 1_000);

const endings = {
  capture: () => undefined,
  exit: () => process.exit(0),
  uncaught: () =>
    setImmediate(() => {
      throw makeError("crash");
    }),
};

onQuestion(({ run }) => {
  if (run !== "nothing") for (let count = 0; count < 10; count++) adapter.capture(makeError(count));
  setTimeout(endings[run] ?? (() => undefined), 20);
  return {};
});
say({});
