import { hash } from "node:crypto";
import { limits } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtFiles } from "../../../src/sources/artifacts/built-files.ts";
import { addKey, makeOrganization, startTestService, type TestService } from "../../test-service.ts";

const map = JSON.stringify({ version: 3, sources: ["src/cart.ts"], names: [], mappings: "AAAA" });
const room = { releasesPerServiceMax: limits.sourceBundlesPerServiceMax, bytesMax: 10_000_000 };

let service: TestService;
let scopeId: string;

beforeAll(async () => {
  service = await startTestService();
  scopeId = (await makeOrganization(service, "acme")).id;
  await addKey(service, scopeId, "release");
  const { sources } = service.control.scope(scopeId);
  const now = new Date(service.clock.now);
  await sources.addContents([map], room.bytesMax, now);
  const sha256 = hash("sha256", map);
  const paths = ["main.js.map", "static/shop.js.map", "node_modules/lib/index.js.map", "//cdn.example:8443/own.js.map"];
  const files = paths.map((path) => ({ path, sha256 }));
  await sources.put({ service: "shop", release: "1", commit: null, files, keyId: "key", now }, room);
});
afterAll(() => service.close());

const found = async (file: string) => {
  const files = await builtFiles(service.control).open({ scopeId, service: "shop", release: "1" });
  return (await files.find(file))?.path ?? null;
};

describe("the map of a built file", () => {
  it.each([
    ["https://shop.example/main.js", "main.js"],
    ["https://shop.example/static/shop.js?v=3", "static/shop.js"],
    ["app:///main.js", "main.js"],
    ["~/static/shop.js", "static/shop.js"],
    ["https://CDN.example:8443/own.js?v=3", "own.js"],
    ["http://cdn.example:8443/own.js", "own.js"],
  ])("is found by its whole path: %s", async (file, path) => expect(await found(file)).toBe(path));

  it.each([
    ["of another folder", "https://widget.vendor.example/sdk/main.js"],
    ["of a folder above", "https://shop.example/shop.js"],
    ["of another host than the one that it was uploaded for", "https://widget.vendor.example/own.js"],
    ["of another port", "https://cdn.example/own.js"],
    ["of no host", "app:///own.js"],
    ["of a browser extension", "chrome-extension://abcdefgh/main.js"],
    ["of another browser's extension", "safari-web-extension://abcdefgh/main.js"],
    ["of an installed package", "https://shop.example/node_modules/lib/index.js"],
  ])("isn't that of a file %s", async (_, file) => expect(await found(file)).toBeNull());
});
