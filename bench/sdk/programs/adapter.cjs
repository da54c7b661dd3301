"use strict";
const { createRequire } = require("node:module");
const { join } = require("node:path");

/** Loads the adapter named by the parent, with the folder in which it is installed. */
function loadAdapter() {
  const { file, folder, options } = JSON.parse(process.argv[2]);
  const adapter = require(file);
  return { adapter, context: { require: createRequire(join(folder, "package.json")), options: options ?? {} } };
}

/** Sends a message to the parent. */
function say(answer) {
  process.send(answer);
}

/** Answers each message of the parent. */
function onQuestion(answer) {
  process.on("message", async (question) => say(await answer(question)));
  process.on("disconnect", () => process.exit(0));
}

module.exports = { loadAdapter, onQuestion, say };
