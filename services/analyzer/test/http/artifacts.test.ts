import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { limits } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { artifactLimits } from "../../src/sources/artifacts/artifact-limits.ts";
import { builtFiles } from "../../src/sources/artifacts/built-files.ts";
import { uploadedSources } from "../../src/sources/uploaded-sources.ts";
import { bundleOf } from "../sources/artifacts/bundle-of.ts";
import {
  addKey,
  makeOrganization,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../test-service.ts";

const recorded = join(import.meta.dirname, "../sources/artifacts/recorded");
const debugId = "bf4cbdf9-fb76-5b68-be8d-5218a7896b69";
const path = "/api/0/organizations/anything";

let service: TestService;
let acme: TestOrganization;
let other: TestOrganization;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  other = await makeOrganization(service, "other");
  key = await addKey(service, acme.id, "release");
});
afterAll(() => service.close());

const bearer = (of = key) => ({ authorization: `Bearer ${of}` });
const sha1Of = (data: Buffer) => createHash("sha1").update(data).digest("hex");

async function assemble(payload: object): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
  const url = `${path}/artifactbundle/assemble/`;
  const answer = await service.app.inject({ method: "POST", url, headers: bearer(), payload });
  return { status: answer.statusCode, body: answer.json() };
}

async function upload(data: Buffer, name = sha1Of(data), field = "file"): Promise<number> {
  const start = `--boundary-of-parts\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const answer = await service.app.inject({
    ...{ method: "POST", url: `${path}/chunk-upload/` },
    headers: { ...bearer(), "content-type": "multipart/form-data; boundary=boundary-of-parts" },
    payload: Buffer.concat([Buffer.from(start), data, Buffer.from("\r\n--boundary-of-parts--\r\n")]),
  });
  return answer.statusCode;
}

/** Uploads a bundle in one part, and has it assembled. */
async function put(bundle: Buffer, fields: object = {}) {
  const sha1 = sha1Of(bundle);
  expect(await upload(gzipSync(bundle), sha1, "file_gzip")).toBe(200);
  return assemble({ checksum: sha1, chunks: [sha1], projects: ["shop"], ...fields });
}

const opened = (release: string, of = acme.id, ids: readonly string[] = []) =>
  uploadedSources(service.control).open(
    { scopeId: of, service: "shop", release, debugIds: new Map(ids.map((id) => [id, id])) },
    () => undefined,
  );

const text = async (from: Awaited<ReturnType<typeof opened>>, file: string) => {
  const read = await from?.read(file, 10_000);
  return read?.outcome === "read" ? read.text : read?.outcome;
};

describe("what sentry-cli uploads", () => {
  it("is stored as recorded, with the original sources, and found by the debug ID", async () => {
    const form = await readFile(join(recorded, "upload.form"));
    const wanted = JSON.parse(await readFile(join(recorded, "assemble.json"), "utf8"));
    const described = await service.app.inject({ url: `${path}/chunk-upload/`, headers: bearer() });
    expect(described.json()).toMatchObject({
      ...{ url: `https://whence.example.com${path}/chunk-upload/`, hashAlgorithm: "sha1", compression: ["gzip"] },
    });
    expect((await assemble(wanted)).body).toMatchObject({ state: "not_found", missingChunks: wanted.chunks });
    const type = `multipart/form-data; boundary=${form.subarray(2, form.indexOf("\r\n")).toString()}`;
    const headers = { ...bearer(), "content-type": type };
    const sent = { method: "POST", url: `${path}/chunk-upload/`, headers, payload: form } as const;
    expect((await service.app.inject(sent)).statusCode).toBe(200);
    expect((await assemble(wanted)).body).toEqual({ state: "ok", missingChunks: [], detail: null });
    const sources = await opened("", acme.id, [debugId]);
    expect([...((await sources?.paths()) ?? [])].sort()).toEqual([
      "src/cart.ts",
      "src/page.ts",
      "static/shop.js",
      "static/shop.js.map",
    ]);
    expect(await text(sources, "src/cart.ts")).toBe(await readFile(join(recorded, "src/cart.ts.txt"), "utf8"));
    expect(JSON.parse(String(await text(sources, "static/shop.js.map")))).not.toHaveProperty("sourcesContent");
    expect(await opened("", acme.id)).toBeNull();
    expect(await opened("", other.id, [debugId])).toBeNull();
  });

  it("adds to the files of its release", async () => {
    const version = { version: "1.2.3" };
    expect((await put(await bundleOf({ "~/a.js": "a()" }), version)).body.state).toBe("ok");
    expect((await put(await bundleOf({ "~/b.js": "b()" }), version)).body.state).toBe("ok");
    const sources = await opened("1.2.3");
    expect(await text(sources, "a.js")).toBe("a()");
    expect(await text(sources, "b.js")).toBe("b()");
  });

  it("loses none of its files to another bundle of its release that comes at the same time", async () => {
    const names = Array.from({ length: 4 }, (_, at) => `together-${at}.js`);
    const send = async (name: string) => put(await bundleOf({ [`~/${name}`]: name }), { version: "1.2.4" });
    const answers = await Promise.all(names.map(send));
    expect(answers.map(({ body }) => body.state)).toEqual(names.map(() => "ok"));
    expect([...((await (await opened("1.2.4"))?.paths()) ?? [])].sort()).toEqual(names);
  });

  it("is assembled one at a time, and an organization's calls beyond those that may wait are sent again", async () => {
    const bundle = await bundleOf({ "~/zeros.js": "0".repeat(20_000_000) });
    const chunks: string[] = [];
    for (let from = 0; from < bundle.length; from += artifactLimits.chunkBytesMax) {
      const part = bundle.subarray(from, from + artifactLimits.chunkBytesMax);
      chunks.push(sha1Of(part));
      expect(await upload(gzipSync(part), sha1Of(part), "file_gzip")).toBe(200);
    }
    const wanted = { checksum: sha1Of(bundle), chunks, projects: ["shop"], version: "1.2.5" };
    const answers = await Promise.all(Array.from({ length: 30 }, () => assemble(wanted)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(artifactLimits.assembliesPerOrganizationMax);
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(["503 WHENCE_ERR_ASSEMBLIES_WAITING"]),
    );
    expect((await opened("1.2.5")) === null).toBe(false);
  });

  it("counts for each service that it names", async () => {
    const projects = { projects: ["shop", "checkout"], version: "3.0.0" };
    expect((await put(await bundleOf({ "~/c.js": "c()" }), projects)).body.state).toBe("ok");
    const listed = (await service.app.inject({ url: "/api/sources", headers: { cookie: acme.cookie } })).json();
    const of = listed.bundles.filter(({ release }: { release: string }) => release === "3.0.0");
    expect(of.map((bundle: { service: string }) => bundle.service).sort()).toEqual(["checkout", "shop"]);
  });

  it("may come in parts, in their order", async () => {
    const bundle = await bundleOf({ "~/parts.js": "p()" });
    const parts = [bundle.subarray(0, 100), bundle.subarray(100)];
    for (const part of parts) expect(await upload(part)).toBe(200);
    const chunks = parts.map(sha1Of);
    const wanted = { checksum: sha1Of(bundle), projects: ["shop"], version: "4" };
    expect((await assemble({ ...wanted, chunks: chunks.toReversed() })).body).toMatchObject({
      ...{ state: "error", detail: "the bundle isn't what its checksum says: upload it again" },
    });
    for (const part of parts) await upload(part);
    expect((await assemble({ ...wanted, chunks })).body.state).toBe("ok");
  });

  it("is kept by host where its files are uploaded for one, and for any host where they aren't", async () => {
    const mapOf = (name: string) =>
      JSON.stringify({ version: 3, sources: [name], sourcesContent: ["a();"], names: [], mappings: "AAAA" });
    const files = {
      ...{ "https://a.example/x.js": "a()", "https://a.example/x.js.map": mapOf("of-a.ts") },
      ...{ "https://b.example/x.js": "b()", "https://b.example/maps/x.map": mapOf("../of-b.ts") },
      ...{ "~/y.js": "y()", "~/y.js.map": mapOf("of-any.ts") },
    };
    const headers = { "https://b.example/x.js": { Sourcemap: "maps/x.map" } };
    expect((await put(await bundleOf(files, headers), { version: "8" })).body.state).toBe("ok");
    const built = await builtFiles(service.control).open({ scopeId: acme.id, service: "shop", release: "8" });
    const sourcesOf = async (url: string) => (await built.find(url))?.map.sources ?? null;
    expect(await sourcesOf("https://a.example/x.js")).toEqual(["of-a.ts"]);
    expect(await sourcesOf("https://b.example/x.js")).toEqual(["../of-b.ts"]);
    expect(await sourcesOf("https://c.example/x.js")).toBeNull();
    expect(await sourcesOf("https://c.example/y.js")).toEqual(["of-any.ts"]);
    const paths = [...((await (await opened("8"))?.paths()) ?? [])].sort();
    expect(paths).toEqual(["of-a.ts", "of-any.ts", "of-b.ts", "y.js", "y.js.map"]);
  });

  it("may be of React Native, whose bundle isn't kept but for its map", async () => {
    const map = JSON.stringify({
      version: 3,
      sources: ["app.tsx"],
      sourcesContent: ["a();"],
      names: [],
      mappings: "AAAA",
    });
    const files = { "~/index.android.bundle": "a()", "~/index.android.bundle.map": map };
    expect((await put(await bundleOf(files), { version: "9" })).body.state).toBe("ok");
    const built = await builtFiles(service.control).open({ scopeId: acme.id, service: "shop", release: "9" });
    expect((await built.find("app:///index.android.bundle"))?.map.sources).toEqual(["app.tsx"]);
    expect([...((await (await opened("9"))?.paths()) ?? [])].sort()).toEqual(["app.tsx", "index.android.bundle.map"]);
  });

  it("has its credentials masked, and keeps nothing that is never read", async () => {
    const files = { "~/d.js": 'const dbPassword = "correct-horse-7";', "~/../.env": "A=1", "~/e.txt": "x" };
    await put(await bundleOf(files), { version: "5" });
    const sources = await opened("5");
    expect(await sources?.paths()).toEqual(["d.js"]);
    expect(await text(sources, "d.js")).toBe('const dbPassword = "***************";');
  });

  it.each([
    ["that is no ZIP", Buffer.from("PK"), "the bundle isn't a ZIP that can be read"],
    ["without a manifest", () => bundleOf({}, null), "the bundle has no readable manifest.json"],
    [
      "with too many files",
      () =>
        bundleOf(
          Object.fromEntries(Array.from({ length: artifactLimits.bundleFilesMax + 1 }, (_, at) => [`~/${at}.js`, ""])),
        ),
      "the bundle has more than 2000 files",
    ],
  ])("is refused with the reason: a bundle %s", async (_, made, detail) => {
    const bundle = typeof made === "function" ? await made() : made;
    expect((await put(bundle)).body).toEqual({ state: "error", missingChunks: [], detail });
  });

  it("is refused with 400 where a part isn't what it is named, or no form", async () => {
    expect(await upload(Buffer.from("a"), "0".repeat(40))).toBe(400);
    expect(await upload(Buffer.from("not packed"), undefined, "file_gzip")).toBe(400);
    const headers = { ...bearer(), "content-type": "multipart/form-data" };
    const answer = await service.app.inject({ method: "POST", url: `${path}/chunk-upload/`, headers, payload: "x" });
    expect(answer.json().code).toBe("WHENCE_ERR_ARTIFACT_INVALID");
  });

  it("is limited to 8 MiB a part, unpacked", async () => {
    const most = Buffer.alloc(artifactLimits.chunkBytesMax);
    expect(await upload(gzipSync(most), sha1Of(most), "file_gzip")).toBe(200);
    const more = Buffer.alloc(artifactLimits.chunkBytesMax + 1);
    expect(await upload(gzipSync(more), sha1Of(more), "file_gzip")).toBe(400);
  });

  it("leaves out files beyond the size of a source file", async () => {
    const most = "x".repeat(limits.sourceFileBytesMax);
    await put(await bundleOf({ "~/most.js": most, "~/more.js": `${most}x` }), { version: "6" });
    expect(await (await opened("6"))?.paths()).toEqual(["most.js"]);
  });

  it("needs a key that may upload sources", async () => {
    const send = await addKey(service, acme.id, "send");
    const asked = (headers: Record<string, string>) =>
      service.app.inject({ url: `${path}/chunk-upload/`, headers }).then(({ statusCode }) => statusCode);
    expect([await asked({}), await asked(bearer(send)), await asked(bearer("whk_no"))]).toEqual([422, 403, 401]);
  });

  it("comes before and after a release, which is answered", async () => {
    const url = `${path}/releases/`;
    const created = await service.app.inject({
      ...{ method: "POST", url, headers: bearer(), payload: { version: "7", projects: ["shop"] } },
    });
    expect(created.json()).toMatchObject({ version: "7", projects: [{ slug: "shop", name: "shop" }] });
    const finalized = await service.app.inject({
      ...{ method: "PUT", url: `${url}shop%407/`, headers: bearer(), payload: { projects: ["shop"] } },
    });
    expect(finalized.json()).toMatchObject({ version: "shop@7" });
  });

  const deploy = (payload: object) =>
    service.app.inject({ method: "POST", url: `${path}/releases/shop%408/deploys/`, headers: bearer(), payload });
  const reported = async () => {
    const { releases } = service.control.scope(acme.id);
    return (await releases.list()).filter(({ release }) => release === "shop@8");
  };

  it("reports a deploy of each service that it names, as our own command does", async () => {
    const url = "https://ci.example/runs/8";
    const payload = {
      environment: "production",
      projects: ["shop", "cart"],
      url,
      dateFinished: "2026-03-01T12:00:00Z",
    };
    const answer = await deploy(payload);
    expect(answer.json()).toMatchObject({ environment: "production", name: null, url });
    const made = (await reported()).map(({ service: of, env, url: at }) => [of, env, at]);
    expect(made.toSorted()).toEqual([
      ["cart", "PROD", url],
      ["shop", "PROD", url],
    ]);
  });

  it("reports no deploy at all when one of its services, or its page, is invalid", async () => {
    const before = await reported();
    const refused = [
      { environment: "staging" },
      { environment: "staging", projects: [] },
      { environment: "staging", projects: ["shop", ""] },
      { environment: "staging", projects: ["shop"], url: "https://ada:secret@ci.example" },
    ];
    const statuses = [];
    for (const payload of refused) statuses.push((await deploy(payload)).statusCode);
    expect(statuses).toEqual([422, 422, 422, 422]);
    expect(await reported()).toEqual(before);
  });
});
