import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InvestigationSubject } from "@whence/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withCode } from "../../src/sources/service-sources.ts";
import { silent } from "../test-service.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-service-sources-"));
  await writeFile(join(folder, "work.js"), "export function work() {\n  throw new Error('boom');\n}\n");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const at = "2026-03-01T10:00:00.000Z";

function failureOf(service: string): InvestigationSubject {
  const frames = [{ file: "/app/work.js", line: 2, column: 9, in_app: true }];
  return {
    incident: { id: "inc_1", service, env: "PROD", fingerprint: null },
    input: {
      ...{
        kind: "event",
        service,
        env: "PROD",
        release: "1.0.0",
        instance: "i",
        receivedAt: at,
        files: [],
        notRead: [],
      },
      host: { name: "h", pid: 1, runtime: { name: "node", version: "26.0.0" }, os: "linux", arch: "x64" },
      event: {
        ...{ id: "0197a9d0-0000-7000-8000-000000000001", seq: 1, type: "exception", timestamp: at, level: "error" },
        ...{ message: "boom", mechanism: { type: "uncaughtException", handled: false } },
        exceptions: [{ type: "Error", message: "boom", stack: "Error: boom\n    at /app/work.js:2:9", frames }],
      },
    },
  };
}

async function filesFor(service: string, scopeId: string, checkouts: ReadonlyMap<string, string>): Promise<string[]> {
  const { input } = await withCode(failureOf(service), scopeId, { checkouts, logger: silent });
  return input.kind === "death" ? [] : input.files.map(({ name }) => name);
}

describe("the code of a failing service", () => {
  it("is read for an organization", async () => {
    expect(await filesFor("orders", "org_1", new Map([["orders", folder]]))).toEqual(["/app/work.js"]);
  });

  it("is not read for an unclaimed agent, which anyone can register", async () => {
    expect(await filesFor("orders", "agt_1", new Map([["orders", folder]]))).toEqual([]);
  });

  it("is not read for another service", async () => {
    expect(await filesFor("payments", "org_1", new Map([["orders", folder]]))).toEqual([]);
  });

  it("is missing when its folder is, and the incident is investigated without it", async () => {
    expect(await filesFor("orders", "org_1", new Map([["orders", join(folder, "gone")]]))).toEqual([]);
  });
});
