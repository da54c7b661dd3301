// Calls the functions named by its first argument, and fails in the last one as often as the second argument says. The
// third says how it ends; with `filters`, the program drops its first error.
import { captureException, flush, init } from "#client";
import * as functions from "./generated-functions.mjs";

const [names, times, ending] = process.argv.slice(2);
Error.stackTraceLimit = 50;
let isFirst = true;
const beforeSend = (event) => {
  const kept = !isFirst;
  isFirst = false;
  return kept ? event : null;
};
init({
  apiKey: "whk_test",
  endpoint: process.env.WHENCE_ENDPOINT,
  ...(ending === "filters" ? { beforeSend } : {}),
});

const chain = names.split(",").map((name) => Reflect.get(functions, name));
function fail(depth = 0) {
  const call = chain[depth];
  call(() => fail(depth + 1), depth === chain.length - 1);
}
for (let time = 0; time < Number(times); time++) {
  try {
    fail();
  } catch (error) {
    captureException(error);
    await flush();
  }
}
if (ending === "crashes") fail();
