import { openSqliteQueue } from "../../src/queue/sqlite-queue.ts";
import { telemetryTopic } from "../../src/queue/topics.ts";

// Publishes pairs from 16 publishers at once, and prints a pair's name only when its publish has resolved. Ends, with
// the code of the error, when one is refused.
const [path = ""] = process.argv.slice(2);
const queue = await openSqliteQueue({ path });
const body = "x".repeat(2_000);
const publishers = Array.from({ length: 16 }, async (_, publisher) => {
  for (let index = 0; ; index++) {
    const name = `${publisher}-${index}`;
    await queue.publish(telemetryTopic, [
      { id: `${name}-1`, body },
      { id: `${name}-2`, body },
    ]);
    process.stdout.write(`${name}\n`);
  }
});
await Promise.all(publishers).catch((error) => {
  process.stdout.write(`refused ${error.code}\n`, () => process.exit(0));
});
