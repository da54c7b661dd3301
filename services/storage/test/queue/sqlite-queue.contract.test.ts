import { join } from "node:path";
import { openSqliteQueue } from "../../src/queue/sqlite-queue.ts";
import { describeQueue } from "../queue.contract.ts";
import { temporaryDirectory } from "../temporary-directory.ts";

describeQueue("sqlite", () => {
  const path = join(temporaryDirectory(), "queue.sqlite");
  return (clock) => openSqliteQueue({ path, clock });
});
