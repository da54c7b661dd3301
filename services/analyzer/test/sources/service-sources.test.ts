import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InvestigationSubject } from "@whence/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Checkout, configuredCheckouts } from "../../src/sources/configured-checkouts.ts";
import { withCode } from "../../src/sources/service-sources.ts";
import { silent, startTestService, type TestService } from "../test-service.ts";

let folder: string;
let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), "whence-service-sources-"));
  await writeFile(join(folder, "work.js"), "export function work() {\n  throw new Error('boom');\n}\n");
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

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

async function filesFor(scopeId: string, checkout: Partial<Checkout> = {}): Promise<string[]> {
  const checkouts = [{ organization: "acme", service: "orders", folder, ...checkout }];
  const sources = configuredCheckouts(checkouts, { control: service.control, logger: silent });
  const { input } = await withCode(failureOf("orders"), scopeId, { sources, logger: silent });
  return input.kind === "process-exit" ? [] : input.files.map(({ name }) => name);
}

async function organization(slug: string): Promise<string> {
  return (await service.control.organizations.ensure({ slug, name: slug, now: new Date(at) })).id;
}

describe("the code of a failing service", () => {
  it("is read for the organization that its folder belongs to", async () => {
    expect(await filesFor(await organization("acme"))).toEqual(["/app/work.js"]);
  });

  it("isn't read for another organization that reports under the same name", async () => {
    expect(await filesFor(await organization("labs"))).toEqual([]);
  });

  it("isn't read for an unclaimed agent, which anyone can register", async () => {
    expect(await filesFor("agt_1")).toEqual([]);
  });

  it("isn't read for another service", async () => {
    expect(await filesFor(await organization("acme"), { service: "payments" })).toEqual([]);
  });

  it("is missing when its folder is, and the incident is investigated without it", async () => {
    expect(await filesFor(await organization("acme"), { folder: join(folder, "gone") })).toEqual([]);
  });
});
