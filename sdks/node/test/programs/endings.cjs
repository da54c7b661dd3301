"use strict";

/**
 * The endings. Each is a function, or `{ listen, run }`: `listen` runs before the client has started (or after, if
 * started with "first"), then `run`.
 */
const endings = {
  ...require("./endings/errors.cjs"),
  ...require("./endings/rejections.cjs"),
  ...require("./endings/exits.cjs"),
  ...require("./endings/processes.cjs"),
};

/** Adds listeners before the client, unless `WHENCE_INIT` is "first"; with "no" the client was preloaded. */
function start(ending, client, here) {
  const { listen, run } = typeof ending === "function" ? { run: ending } : ending;
  const order = process.argv[3] === "without" ? "no" : process.env.WHENCE_INIT;
  if (order !== "first") listen?.();
  if (order !== "no") client.init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT, service: "program" });
  if (order === "first") listen?.();
  run(client, here);
}

module.exports = { endings, start };
