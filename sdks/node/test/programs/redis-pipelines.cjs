"use strict";
// A command of a pipeline or transaction fails: handled, then not handled. Prints the outcomes.
const { createClient } = require("@redis/client");

const [port, way] = process.argv.slice(2);
if (process.env.WHENCE_SDK) {
  const { init } = require(`${process.env.WHENCE_SDK}/index.cjs`);
  init({ apiKey: "k", endpoint: process.env.WHENCE_ENDPOINT });
}
process.on("exit", (code) => console.log("exit", code));

async function main() {
  const client = createClient({ socket: { port: Number(port), host: "127.0.0.1" }, RESP: 2 });
  client.on("error", () => undefined);
  await client.connect();
  const failing = () => client.multi().set("a", "b").incr("a")[way]();
  const error = await failing().catch((reason) => reason);
  console.log(error.constructor.name, error.message, Object.keys(error), (error.replies ?? []).map(String));
  failing();
}

void main();
