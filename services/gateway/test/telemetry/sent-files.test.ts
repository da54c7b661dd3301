import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { limits, type SentFile } from "@whence/protocol";
import type { Storage } from "@whence/storage";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { batchOf, exceptionEvent, logEvent } from "../batches.ts";
import { buildApp, openTestStorage, organizationWithKey, send } from "../test-gateway.ts";

let storage: Storage;
let app: FastifyInstance;
let mine: { id: string; key: string };
let theirs: { id: string; key: string };
const clock = { now: Date.parse("2026-03-01T12:00:00.000Z") };
let lookups = 0;
/** What the control database waits for before it answers about code. */
let answered: Promise<unknown> = Promise.resolve();
let hasCodeCalls = 0;
/** Services whose code can be read without their processes. */
const connected = new Set<string>();

beforeAll(async () => {
  storage = await openTestStorage();
  const { control, queue } = storage;
  app = await buildApp({
    queue,
    keys: control.keys,
    usage: control.usage,
    secrets: control,
    control: {
      scope: (scopeId) => {
        lookups += 1;
        return control.scope(scopeId);
      },
    },
    hasCode: async ({ service }) => {
      hasCodeCalls += 1;
      await answered;
      return connected.has(service);
    },
    clock: () => clock.now,
  });
  mine = await organizationWithKey(storage, "sent-files");
  theirs = await organizationWithKey(storage, "sent-files-other");
});
afterAll(async () => {
  await app.close();
  await storage.close();
});

async function want(service: string, paths: readonly string[]): Promise<void> {
  const { sentSources } = storage.control.scope(mine.id);
  await sentSources.want({ service, release: "7", incidentId: "inc_1", paths, now: new Date(clock.now) });
}

function file(path: string, content: string): SentFile {
  return { path, content, sha256: createHash("sha256").update(content).digest("hex") };
}

function post(key: string, body: unknown): Promise<LightMyRequestResponse> {
  return app.inject({
    method: "POST",
    url: "/api/telemetry/sources",
    headers: { "content-type": "application/json", "content-encoding": "gzip", "x-api-key": key },
    payload: gzipSync(JSON.stringify(body)),
  });
}

const ask = (key: string, service: string) => send(app, key, batchOf([], { service, release: "7" }));

describe("the answer to a batch", () => {
  it("names the files that investigations of the release lack, to its organization alone", async () => {
    await want("orders", ["/app/src/cart.js"]);
    expect((await ask(mine.key, "orders")).json()).toEqual({
      accepted: 0,
      rejected: [],
      wanted_files: ["/app/src/cart.js"],
    });
    expect((await ask(theirs.key, "orders")).json()).toMatchObject({ wanted_files: [] });
    expect((await ask(mine.key, "payments")).json()).toMatchObject({ wanted_files: [] });
    const other = await send(app, mine.key, batchOf([], { service: "orders", release: "8" }));
    expect(other.json()).toMatchObject({ wanted_files: [] });
  });

  it("asks for nothing where the batch names no release", async () => {
    const answer = await send(app, mine.key, batchOf([logEvent()], { service: "orders" }));
    expect(answer.json()).toEqual({ accepted: 1, rejected: [] });
  });

  it("costs one query for the batches of half a minute", async () => {
    lookups = 0;
    const batches = Array.from({ length: 20 }, () => batchOf([logEvent()], { service: "busy", release: "7" }));
    for (const batch of batches) await send(app, mine.key, batch);
    expect(lookups).toBe(1);
  });

  it("forgets what is wanted after a day", async () => {
    await want("old", ["/app/a.js"]);
    clock.now += limits.filesWantedMs + 1;
    expect((await ask(mine.key, "old")).json()).toMatchObject({ wanted_files: [] });
  });
});

describe("the answer to a batch with an error", () => {
  const failing = (service: string, changes: Parameters<typeof batchOf>[1] = {}, event = exceptionEvent("total")) =>
    send(app, mine.key, batchOf([event], { service, release: "7", ...changes }));

  /** An error in a file of the program. */
  const errorIn = (file: string) =>
    exceptionEvent("f", { exceptions: [{ type: "Error", message: "", stack: "", frames: [{ file, in_app: true }] }] });

  it("names the program's files on its stack at once, which are then taken", async () => {
    expect((await failing("crashes")).json()).toMatchObject({ wanted_files: ["/srv/total.js"] });
    const files = [file("total.js", "total")];
    expect((await post(mine.key, { service: "crashes", release: "7", files })).json()).toEqual({ stored: 1 });
    expect((await failing("crashes")).json()).toMatchObject({ wanted_files: [] });
  });

  it("asks the next process of the release for what the last one couldn't send", async () => {
    await failing("loops");
    const next = await send(app, mine.key, batchOf([logEvent()], { service: "loops", release: "7" }));
    expect(next.json()).toMatchObject({ wanted_files: ["/srv/total.js"] });
  });

  it("names the main file where no call is the program's own", async () => {
    const exceptions = [{ type: "Error", message: "", stack: "", frames: [{ file: "node:fs", in_app: false }] }];
    const answer = await failing("pipes", {}, exceptionEvent("f", { exceptions }));
    expect(answer.json()).toMatchObject({ wanted_files: ["."] });
  });

  it("names nothing of an error that opens no incident", async () => {
    expect((await failing("staged", { env: "STAGING" })).json()).toMatchObject({ wanted_files: [] });
    const warning = await failing("warns", {}, exceptionEvent("total", { level: "warning" }));
    expect(warning.json()).toMatchObject({ wanted_files: [] });
  });

  it("names nothing of a service whose code was uploaded, or can be read elsewhere", async () => {
    connected.add("hosted");
    expect((await failing("hosted")).json()).toMatchObject({ wanted_files: [] });
    const { sources } = storage.control.scope(mine.id);
    const now = new Date(clock.now);
    const uploaded = { service: "uploaded", release: "7", commit: null, files: [], keyId: "key_ci", now };
    await sources.put(uploaded, { releasesPerServiceMax: 5, bytesMax: limits.organizationSourceBytesMax });
    expect((await failing("uploaded")).json()).toMatchObject({ wanted_files: [] });
    expect((await failing("uploaded", { release: "shop@7+1a2b3c4" })).json()).toMatchObject({ wanted_files: [] });
  });

  it("is given without them, and asks once, while the control database doesn't answer", async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    answered = promise;
    hasCodeCalls = 0;
    const answers = await Promise.all(["a.js", "b.js", "c.js"].map((file) => failing("slow", {}, errorIn(file))));
    for (const answer of answers) expect(answer.json()).toMatchObject({ accepted: 1, wanted_files: [] });
    expect(hasCodeCalls).toBe(1);
    resolve(undefined);
    expect((await failing("slow", {}, errorIn("a.js"))).json()).toMatchObject({ wanted_files: ["a.js"] });
    expect((await failing("slow", {}, errorIn("b.js"))).json()).toMatchObject({ wanted_files: ["a.js", "b.js"] });
  });

  it("names files of a further stack, too", async () => {
    await failing("grows");
    const further = await failing("grows", {}, errorIn("/srv/other.js"));
    expect(further.json()).toMatchObject({ wanted_files: ["/srv/total.js", "/srv/other.js"] });
  });

  it("costs no further query while the same files fail", async () => {
    await failing("storms");
    lookups = 0;
    for (let batch = 0; batch < 20; batch += 1) await failing("storms");
    expect(lookups).toBe(0);
  });
});

describe("files that a process sends", () => {
  it("are stored for the release with credentials masked, and wanted no longer", async () => {
    await want("cart", ["/app/src/cart.js", "/app/src/gone.js"]);
    await ask(mine.key, "cart");
    const secret = `AKIA${"A2".repeat(8)}`;
    const answer = await post(mine.key, {
      service: "cart",
      release: "7",
      files: [file("src/cart.js", "cart"), file("src/aws.js", `const key = "${secret}"`)],
    });
    expect(answer.statusCode).toBe(202);
    expect(answer.json()).toEqual({ stored: 2 });
    const { sentSources, sources } = storage.control.scope(mine.id);
    const stored = await sentSources.files({ service: "cart", release: "7" });
    expect(stored?.files.map(({ path }) => path)).toEqual(["src/aws.js", "src/cart.js"]);
    const texts = await Promise.all((stored?.files ?? []).map(({ sha256 }) => sources.content(sha256)));
    expect(texts).toEqual([`const key = "${"*".repeat(secret.length)}"`, "cart"]);
    expect((await ask(mine.key, "cart")).json()).toMatchObject({ wanted_files: ["/app/src/gone.js"] });
  });

  it("are not stored when no investigation of the organization lacks files of that release", async () => {
    await want("pay", ["/app/pay.js"]);
    const files = [file("pay.js", "pay")];
    expect((await post(theirs.key, { service: "pay", release: "7", files })).json()).toEqual({ stored: 0 });
    expect((await post(mine.key, { service: "pay", release: "8", files })).json()).toEqual({ stored: 0 });
    expect(await storage.control.scope(mine.id).sentSources.files({ service: "pay", release: "7" })).toBeNull();
  });

  const full = file("a.js", "a".repeat(limits.sentFileBytesMax));
  it.each([
    ["60 files, one of 256 KiB", [full, ...Array.from({ length: 59 }, (_, at) => file(`${at}.js`, "x"))], 202],
    ["61 files", Array.from({ length: 61 }, (_, at) => file(`${at}.js`, "x")), 422],
    ["a file of more than 256 KiB", [file("a.js", `${"a".repeat(limits.sentFileBytesMax - 1)}é`)], 422],
    ["a path above the root", [file("../a.js", "a")], 422],
    ["an absolute path", [file("/etc/passwd", "a")], 422],
    ["another text than the digest's", [{ ...file("a.js", "a"), content: "b" }], 422],
    ["two files with one path", [file("a.js", "a"), file("a.js", "b")], 422],
    ["no file", [], 422],
  ])("are answered by their bounds: %s", async (_what, files, status) => {
    await want("bounds", ["/app/a.js"]);
    const answer = await post(mine.key, { service: "bounds", release: "7", files });
    expect(answer.statusCode).toBe(status);
  });

  it("need a key that may send telemetry", async () => {
    expect((await post("whk_unknown", {})).statusCode).toBe(401);
    const reader = await organizationWithKey(storage, "sent-files-reader", new Date(), "read");
    expect((await post(reader.key, {})).statusCode).toBe(403);
  });
});
