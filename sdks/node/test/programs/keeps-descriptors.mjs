// Prints how many descriptors are reserved, with and without a thread, whether the client can be closed without them,
// and whether it leaves files alone that the program opened in their place.
import { closeSync, fstatSync, openSync, readdirSync, readlinkSync } from "node:fs";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { close, init } from "#client";

const folder = "/proc/self/fd";
const untilHeld = () => new Promise((resolve) => setTimeout(resolve, 1_100));

function held() {
  return readdirSync(folder).filter((name) => {
    try {
      return Number(name) > 2 && readlinkSync(`${folder}/${name}`) === "/dev/null";
    } catch {
      // The folder itself, which is closed by now.
      return false;
    }
  });
}

init({ apiKey: "whk_test", endpoint: process.env.WHENCE_ENDPOINT });
await untilHeld();
if (isMainThread) {
  const alone = held().length;
  const thread = new Worker(new URL(import.meta.url));
  await new Promise((resolve) => thread.once("message", resolve));
  // Each of Node's event loops has one.
  const more = held().length - alone;
  for (const name of held()) closeSync(Number(name));
  const opened = openSync(new URL(import.meta.url));
  console.log(`${alone} held, a thread holds ${more > 1 ? more : "none"}, closed: ${await close(1_000)}`);
  console.log(`a file of the program is ${fstatSync(opened).isFile() ? "open" : "something else"}`);
  process.exit();
} else {
  parentPort.postMessage("started");
}
