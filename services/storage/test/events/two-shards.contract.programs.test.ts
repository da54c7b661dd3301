import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { describeEventStore } from "../event-store.contract.ts";
import { openOnTwoShards } from "./two-shards.ts";

const path = mkdtempSync(join(tmpdir(), "whence-events-"));
afterAll(() => rmSync(path, { recursive: true, force: true }));

describeEventStore("two shards", () => openOnTwoShards(path));
