import { join } from "node:path";
import { openSqliteQueue } from "../../src/queue/sqlite-queue.ts";
import { temporaryDirectory } from "../temporary-directory.ts";
import { describeQueue } from "./queue.contract.ts";

describeQueue("sqlite", () => {
  const path = join(temporaryDirectory(), "queue.sqlite");
  let now = Date.parse("2026-03-01T12:00:00.000Z");
  return {
    open: () => openSqliteQueue({ path, clock: () => now }),
    now: () => now,
    async pass(ms) {
      now += ms;
    },
  };
});
