import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { openEmbeddedEventStore } from "../../src/events/chdb-connection.ts";
import { describeEventStore } from "../event-store.contract.ts";

const path = mkdtempSync(join(tmpdir(), "whence-events-"));
afterAll(() => rmSync(path, { recursive: true, force: true }));

describeEventStore("chdb", () => openEmbeddedEventStore({ path, retentionDays: 3_650 }));
