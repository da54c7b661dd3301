// Logs to its console; the client records it, and the output doesn't change.
const { AsyncLocalStorage } = require("node:async_hooks");
const sdk = process.env.WHENCE_SDK === undefined ? undefined : require(process.env.WHENCE_SDK);
sdk?.init({ apiKey: "k", endpoint: process.env.WHENCE_ENDPOINT });

class Trap {
  get message() {
    console.error("from a getter");
    throw new Error("a trap");
  }
}

console.log("plain %s %d %j %%", "text", 7, { a: 1 }, "rest", [1, 2]);
console.info("info");
console.debug("debug");
console.warn("warning", { deep: { er: { and: { deeper: 1 } } } });
console.error("a line that is no error", { order: 31 });
console.error(new TypeError("alone"));
console.error("with words:", new RangeError("in words"), 5);
const printed = new Error("printed");
printed.stack = "Error: printed\n    at run (/srv/app/run.js:1:2)\n    at /srv/app/main.js:3:4";
console.error(printed.stack);
console.error("order %d:", 31, new SyntaxError("printed after words").stack);
console.error(`in a sentence: ${new EvalError("printed in a sentence").stack}`);
console.error("in a field", { error: new URIError("of a field"), order: 31 });
console.error("aborted", AbortSignal.abort().reason);
console.error("\u001b[1;31mred\u001b[39m letters");
console.trace("where am I");
console.assert(false, "not so");
// As Node.js prints a warning of the client, which isn't recorded.
console.error("(node:1) [WHENCE_WARN_INIT] WhenceWarning: @whence/node: `env` is no text");
console.table([{ a: 1 }]);
console.dir({ a: 1 });
console.group("group");
console.error();
console.groupEnd();
console.error(Object.assign(new Error("trapped"), { nested: new Trap() }), new Trap());
const { error } = console;
error("detached");
new AsyncLocalStorage().run({}, () => console.error("in a context"));

const thrown = new Error("logged, then captured");
console.error(thrown);
sdk?.captureException(thrown);
const sentence = new Error("printed, then captured");
console.error(`order 31: ${sentence.stack}`);
sdk?.captureException(sentence);
const signed = new Error("printed behind a sign, then captured");
console.error("⨯", signed);
sdk?.captureException(signed);
const captured = new Error("captured, then logged twice");
sdk?.captureException(captured);
console.error(captured);
console.error(captured.stack);
console.error("failed:", captured.stack);
const last = new Error("logged, then thrown");
console.error("failed:", last);
if (process.argv[2] === "throw") throw last;
sdk?.flush();
