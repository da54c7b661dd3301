import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InvestigationSubject } from "@whence/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Checkout, configuredCheckouts } from "../../src/sources/configured-checkouts.ts";
import { withCode } from "../../src/sources/service-sources.ts";
import { sentSources } from "../../src/sources/uploaded-sources.ts";
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
  return (input.files ?? []).map(({ name }) => name);
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

describe("the code of a blocked process", () => {
  const hung = (mainThreadStack: string): InvestigationSubject => ({
    incident: { id: "inc_1", service: "orders", env: "PROD", fingerprint: null },
    input: {
      kind: "process-exit",
      exit: {
        ...{ kind: "hung", confidence: 0.9, exitAfterMs: 1, noticedAt: at, othersReporting: null },
        processes: [
          {
            ...{ instance: "i", service: "orders", host: "h", pid: 1, runtime: "node 26.0.0", os: "linux" },
            ...{ release: "1.0.0", firstSeenAt: at, lastSeenAt: at, lastEventId: "e", lastSentAt: at },
            ...{ readings: [], breadcrumbs: [], mainThreadStack },
          },
        ],
      },
    },
  });

  it("is read by the stack that it was blocked with", async () => {
    const sources = configuredCheckouts([{ organization: "acme", service: "orders", folder }], {
      control: service.control,
      logger: silent,
    });
    const scopeId = await organization("acme");
    const read = async (stack: string) =>
      (await withCode(hung(stack), scopeId, { sources, logger: silent })).input.files?.map(({ name }) => name);
    expect(await read("    at work (file:///app/work.js:2:9)")).toEqual(["/app/work.js"]);
    expect(await read("")).toBeUndefined();
  });
});

describe("the code that a service's own processes send", () => {
  const of = { service: "orders", release: "1.0.0" };
  const now = new Date(at);
  const room = { releasesPerServiceMax: 10, bytesMax: 1e9 };
  const sent = () => sentSources(service.control, () => now.getTime());

  async function filesSentFor(scopeId: string, checkout?: Partial<Checkout>): Promise<readonly (string | undefined)[]> {
    const checkouts = checkout ? [{ organization: "acme", service: "orders", folder, ...checkout }] : [];
    const sources = configuredCheckouts(checkouts, { control: service.control, logger: silent });
    const { input } = await withCode(failureOf("orders"), scopeId, { sources, sentSources: sent(), logger: silent });
    return (input.files ?? []).map((file) => ("version" in file ? file.version : undefined));
  }

  it("is requested when there is no other code, and read once it arrives, with its origin", async () => {
    const scopeId = await organization("sent");
    const { sentSources: stored } = service.control.scope(scopeId);
    expect(await filesSentFor(scopeId)).toEqual([]);
    expect(await stored.wanted(of, now)).toEqual(["/app/work.js"]);
    const before = await sent().mark({ ...of, scopeId });
    const files = [{ path: "work.js", text: "\nthrow new Error('boom');\n" }];
    expect(await stored.add({ ...of, files, keyId: "key_1", wantedSince: now, now }, room)).toBe(1);
    expect(await filesSentFor(scopeId)).toEqual(["sent by a process of 1.0.0"]);
    expect(await stored.wanted(of, now)).toEqual([]);
    expect(await sent().mark({ ...of, scopeId })).not.toBe(before);
    expect(await filesSentFor(await organization("not-sent"))).toEqual([]);
  });

  it("is not asked for where a checkout has it, or for a process without a release", async () => {
    const scopeId = await organization("acme");
    expect(await filesSentFor(scopeId, {})).toEqual(["on disk"]);
    const { sentSources: stored } = service.control.scope(scopeId);
    expect(await stored.wanted(of, now)).toEqual([]);
    const { input, ...subject } = failureOf("orders");
    if (input.kind !== "event") throw new TypeError("not an event");
    const unnamed = { ...subject, input: { ...input, release: "" } };
    await withCode(unnamed, scopeId, { sentSources: sent(), logger: silent });
    expect(await stored.wanted({ ...of, release: "" }, now)).toEqual([]);
  });

  it("begins with the main file where no frame is the program's own", async () => {
    const scopeId = await organization("frameless");
    const { input, ...subject } = failureOf("orders");
    if (input.kind !== "event") throw new TypeError("not an event");
    const exceptions = [{ type: "Error", message: "boom", stack: "Error: boom" }];
    const frameless = { ...subject, input: { ...input, event: { ...input.event, exceptions } } };
    await withCode(frameless, scopeId, { sentSources: sent(), logger: silent });
    expect(await service.control.scope(scopeId).sentSources.wanted(of, now)).toEqual(["."]);
  });
});
