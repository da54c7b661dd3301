import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import { openStorage } from "../../src/index.ts";
import { stored } from "../stored-event.ts";

// Opens the storage at a path, prints `open`, and then stores events one batch after the other, printing an id of each
// batch once it is stored. Runs until it is killed.
const [dataDirectory = ""] = process.argv.slice(2);
try {
  const { events } = await openStorage({ dataDirectory });
  writeSync(1, "open\n");
  for (;;) {
    const id = randomUUID();
    const receivedAt = new Date().toISOString();
    const fingerprint = "v1:killed";
    const event = { id, timestamp: receivedAt };
    await events.insert([stored({ scopeId: "org_killed", fingerprint, receivedAt, event })]);
    writeSync(1, `${id}\n`);
  }
} catch (error) {
  writeSync(1, `${error}\n`);
  process.exit(1);
}
