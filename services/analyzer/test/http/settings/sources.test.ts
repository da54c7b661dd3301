import { createHash } from "node:crypto";
import { gather, parseText } from "@whence/engine";
import { limits } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { uploadedSources } from "../../../src/sources/uploaded-sources.ts";
import {
  addKey,
  makeOrganization,
  signInMember,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

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

const code = "export function total(order) {\n  return order.amount;\n}\n";
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const bundle = { service: "orders", release: "2.0.0", files: [{ path: "src/total.js", sha256: sha256(code) }] };

const ignored = () => undefined;

const put = (payload: object, headers: Record<string, string> = { "x-api-key": key }) =>
  service.app.inject({ method: "PUT", url: "/api/sources", headers, payload });
const add = (contents: readonly string[], headers: Record<string, string> = { "x-api-key": key }) =>
  service.app.inject({ method: "POST", url: "/api/sources/contents", headers, payload: { contents } });
const list = (headers: Record<string, string>) => service.app.inject({ url: "/api/sources", headers });
const remove = (which: { service: string; release: string }, headers: Record<string, string>) =>
  service.app.inject({
    ...{ method: "DELETE", headers },
    url: `/api/sources/${which.service}/${encodeURIComponent(which.release)}`,
  });

describe("the sources of a release", () => {
  it("are stored once their contents are uploaded, and opened for their organization only", async () => {
    expect((await put(bundle)).json()).toEqual({ stored: false, missing: [sha256(code)] });
    expect((await add([code])).json()).toEqual({ stored: 1 });
    expect((await put(bundle)).json()).toEqual({ stored: true, missing: [] });
    const provider = uploadedSources(service.control);
    const opened = await provider.open({ scopeId: acme.id, service: "orders", release: "2.0.0" }, ignored);
    expect(await opened?.paths()).toEqual(["src/total.js"]);
    expect(await opened?.read("src/total.js", 1_000)).toEqual({
      ...{ outcome: "read", text: code, version: "uploaded for 2.0.0" },
    });
    expect(await opened?.read("src/total.js", code.length - 1)).toEqual({ outcome: "too-large" });
    expect(await opened?.search?.(["order.amount"])).toEqual(["src/total.js"]);
    expect(await provider.open({ scopeId: other.id, service: "orders", release: "2.0.0" }, ignored)).toBeNull();
    expect(await provider.open({ scopeId: acme.id, service: "orders", release: "2.0.1" }, ignored)).toBeNull();
  });

  it.each([
    ["shop@2.0.0+1a2b3c4", "shop@2.0.0+1a2b3c4"],
    ["shop@2.0.0+1a2b3c4", "shop@2.0.0"],
    ["shop@2.0.0+1a2b3c4", "2.0.0"],
    ["@acme/shop@2.0.0", "2.0.0"],
  ])("are found for the reported release %s when %s was uploaded", async (reported, release) => {
    const name = `found-${reported}-${release}`;
    await add([code]);
    await put({ ...bundle, service: name, release });
    const opened = await uploadedSources(service.control).open(
      { scopeId: acme.id, service: name, release: reported },
      ignored,
    );
    expect(await opened?.paths()).toEqual(["src/total.js"]);
  });

  it("are listed to members and keys that read, without contents", async () => {
    const listed = await list({ cookie: acme.cookie });
    expect(listed.json().bundles).toContainEqual(
      expect.objectContaining({ service: "orders", files: 1, commit: null }),
    );
    expect(listed.body).not.toContain("order.amount");
    expect((await list({ "x-api-key": key })).json().code).toBe("WHENCE_ERR_KEY_SCOPE");
    expect((await list({ cookie: other.cookie })).json()).toEqual({ bundles: [] });
  });

  it.each(["send", "analyze", "read"] as const)("are not uploaded with a key of the scope %s", async (scope) => {
    const headers = { "x-api-key": await addKey(service, acme.id, scope) };
    expect((await put(bundle, headers)).json().code).toBe("WHENCE_ERR_KEY_SCOPE");
    expect((await add([code], headers)).json().code).toBe("WHENCE_ERR_KEY_SCOPE");
  });

  it.each(["/etc/passwd", "../total.js", "src//a.js", "src\\a.js", "./a.js", ""])(
    "have no file with the path %j",
    async (path) => {
      expect((await put({ ...bundle, files: [{ path, sha256: sha256(code) }] })).statusCode).toBe(422);
    },
  );

  it.each([sha256(code), sha256("another")])(
    "have each path once: again with %s is refused by its index",
    async (again) => {
      const files = [...bundle.files, { path: "b.js", sha256: sha256(code) }, { path: "src/total.js", sha256: again }];
      const refused = await put({ ...bundle, files });
      expect(refused.statusCode).toBe(422);
      expect(refused.json().detail).toEqual([
        expect.objectContaining({
          loc: ["body", "files", 2, "path"],
          msg: expect.stringContaining("another file has this path"),
        }),
      ]);
    },
  );

  it.each([
    [limits.sourceFilesMax, 200],
    [limits.sourceFilesMax + 1, 422],
  ])("of %i files are answered with %i", async (count, status) => {
    const files = Array.from({ length: count }, (_, at) => ({ path: `${at}.js`, sha256: sha256(code) }));
    expect((await put({ ...bundle, service: "many", files })).statusCode).toBe(status);
  });

  it.each([
    [limits.sourceFileBytesMax, 200],
    [limits.sourceFileBytesMax + 1, 413],
  ])("of a file of %i bytes are answered with %i", async (bytes, status) => {
    expect((await add(["x".repeat(bytes)])).statusCode).toBe(status);
  });

  it("have the map of a built file by its debug ID, even when the map was moved and renamed", async () => {
    const [id, another] = ["85314830-023f-4cf1-a267-535f4e37bb17", "f2b0c7f4-1b1e-4b4e-9d4a-0c3a6a1f7e55"];
    const built = `total();\n//# sourceMappingURL=total.js.map\n//# debugId=${id}\n`;
    const map = (debugId: string) =>
      JSON.stringify({ version: 3, sources: ["../src/total.js"], mappings: "AAAA", debugId });
    const texts = {
      "dist/total.js": built,
      "dist/total.js.map": map(another),
      "maps/a1.map": map(id),
      "src/total.js": code,
    };
    const files = Object.entries(texts).map(([path, text]) => ({ path, sha256: sha256(text) }));
    await add(Object.values(texts));
    await put({ service: "bundled", release: "1.0.0", files });
    const opened = await uploadedSources(service.control).open(
      { scopeId: acme.id, service: "bundled", release: "1.0.0" },
      ignored,
    );
    expect(await opened?.mapWithId?.(id, "dist/total.js")).toBe("maps/a1.map");
    expect(await opened?.mapWithId?.(id.replace("8", "9"), "dist/total.js")).toBeNull();
    const error = parseText("Error: boom\n    at total (/app/dist/total.js:1:1)\n");
    const gathered = opened && (await gather({ error, route: undefined }, opened));
    expect(gathered?.files.map(({ path }) => path).slice(0, 3)).toEqual([
      ...["dist/total.js", "maps/a1.map", "src/total.js"],
    ]);
  });

  it("are searched in a whole repository, the rarest names and their definitions first", async () => {
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`src/part-${at}.js`, `part(${at});\n`]));
    const texts: Readonly<Record<string, string>> = {
      ...many,
      "src/jobs.js": "totalOf(order);\npart();\n",
      "src/total.js": "export function totalOf(order) {}\n",
      "src/routes.js": 'app.get("/orders/:id", show);\n',
      "src/links.js": "const orders = `/${id}`;\n",
      "test/total.test.js": "totalOf(null);\n",
    };
    await add(Object.values(texts));
    const files = Object.entries(texts).map(([path, text]) => ({ path, sha256: sha256(text) }));
    await put({ service: "large", release: "1.0.0", files });
    const opened = await uploadedSources(service.control).open(
      { scopeId: acme.id, service: "large", release: "1.0.0" },
      ignored,
    );
    expect(await opened?.search?.(["totalOf", "part"])).toEqual(["src/total.js", "src/jobs.js"]);
    expect(await opened?.search?.(["/orders/:id"])).toEqual(["src/routes.js"]);
    expect(await opened?.search?.(["absent"])).toEqual([]);
  });

  it("are removed by owners, which is recorded", async () => {
    const which = { service: "orders", release: "2.0.0" };
    const member = await signInMember(service, acme.id, "sources@acme.example", "member");
    expect((await remove(which, { cookie: member })).json().code).toBe("WHENCE_ERR_OWNER_ONLY");
    expect((await remove(which, { cookie: other.cookie })).json().code).toBe("WHENCE_ERR_SOURCES_NOT_FOUND");
    expect((await remove(which, { cookie: acme.cookie })).json()).toEqual(which);
    expect((await remove(which, { cookie: acme.cookie })).statusCode).toBe(404);
    const audit = await service.app.inject({ url: "/api/audit", headers: { cookie: acme.cookie } });
    expect(audit.json().entries).toContainEqual(
      expect.objectContaining({ action: "sources.removed", target: "orders 2.0.0" }),
    );
  });
});
