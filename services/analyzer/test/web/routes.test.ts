import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { applicationPaths } from "../../src/web/application-paths.ts";
import { openWebBundle } from "../../src/web/bundle.ts";
import { webRoutes } from "../../src/web/routes.ts";
import { startTestService, type TestService } from "../test-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const get = (url: string, headers: Record<string, string> = {}) => service.app.inject({ url, headers });

describe("the application", () => {
  it("is the response to each of its paths, with a policy that allows nothing inline and nothing from elsewhere", async () => {
    for (const path of [...applicationPaths, "/docs/api"]) {
      const page = await get(path.replace(":id", "inc_1"));
      expect([path, page.statusCode]).toEqual([path, 200]);
      const policy = String(page.headers["content-security-policy"]);
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      const referrer = path === "/shared" ? "no-referrer" : "same-origin";
      expect(page.headers).toMatchObject({ "x-content-type-options": "nosniff", "referrer-policy": referrer });
      expect(page.headers["cache-control"]).toBe("no-cache");
    }
  });

  it("keeps a shared report from search engines, and no other page", async () => {
    expect((await get("/shared")).headers["x-robots-tag"]).toBe("noindex, nofollow");
    expect((await get("/incidents")).headers["x-robots-tag"]).toBeUndefined();
  });

  it("has the page of the HTTP API as well", async () => {
    expect((await get("/docs/api")).body).toContain("HTTP API");
    expect((await get("/")).body).not.toContain("HTTP API");
  });

  it("isn't the response to other paths: API paths stay JSON", async () => {
    for (const path of [
      "/api/nothing",
      "/incidents/a/b",
      "/assets/nothing.js",
      "/assets/../index.html",
      "/index.html",
    ]) {
      const answer = await get(path);
      expect([path, answer.statusCode]).toEqual([path, 404]);
      expect(answer.json().code).toBe("WHENCE_ERR_ROUTE_UNKNOWN");
    }
  });

  it("tells a person's browser on its page that a path is unknown, and a program in JSON", async () => {
    const browser = { accept: "text/html,application/xhtml+xml" };
    const answer = await get("/incidents/a/b", browser);
    expect([answer.statusCode, answer.body]).toEqual([404, (await get("/")).body]);
    expect(answer.headers["content-security-policy"]).toContain("default-src 'none'");
    for (const path of ["/api/nothing", "/assets/nothing.js", "/operator/nothing"]) {
      expect((await get(path, browser)).json().code).toBe("WHENCE_ERR_ROUTE_UNKNOWN");
    }
  });

  it("has files that browsers cache permanently, in the best accepted encoding", async () => {
    const file = "/assets/index-1a2b.js";
    const taken = async (header: string) =>
      (await get(file, { "accept-encoding": header })).headers["content-encoding"];
    expect((await get(file)).headers["cache-control"]).toContain("immutable");
    expect(await taken("gzip, deflate, br")).toBe("br");
    expect(await taken("gzip")).toBe("gzip");
    expect(await taken("br;q=0, gzip;q=0.5")).toBe("gzip");
    expect(await taken("identity")).toBeUndefined();
    expect((await get(file)).headers.vary).toContain("accept-encoding");
  });

  it("isn't sent again to a browser that has it", async () => {
    const { etag = "" } = (await get("/")).headers;
    expect((await get("/", { "if-none-match": String(etag) })).statusCode).toBe(304);
  });

  it("says how to build it where nothing was built", async () => {
    const app = Fastify();
    webRoutes(app, () => null);
    const page = await app.inject({ url: "/incidents", headers: { accept: "text/html" } });
    expect([page.statusCode, page.body]).toEqual([503, expect.stringContaining("pnpm build")]);
  });
});

describe("a bundle", () => {
  it("is found in a folder with the compressed versions of each file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "whence-bundle-"));
    await writeFile(join(folder, "index.html"), "<p>");
    await writeFile(join(folder, "index.html.br"), "compressed");
    await writeFile(join(folder, "built-from"), "x");
    const bundle = openWebBundle(folder);
    expect([...bundle.keys()]).toEqual(["/index.html"]);
    const page = bundle.get("/index.html");
    expect([page?.encodings, String(await page?.read("br")), String(await page?.read())]).toEqual([
      ["br"],
      "compressed",
      "<p>",
    ]);
    await rm(folder, { recursive: true });
  });

  it("lacks the files that were taken away since, as when the application is built again", async () => {
    const folder = await mkdtemp(join(tmpdir(), "whence-bundle-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [asset, seen] = [join(folder, "assets", "menu-1a2b.js"), join(folder, "assets", "help-1a2b.js")];
    await mkdir(join(folder, "assets"));
    for (const file of [join(folder, "index.html"), asset, seen]) await writeFile(file, "x");
    const app = Fastify();
    const bundle = openWebBundle(folder);
    webRoutes(app, () => bundle);
    expect((await app.inject("/assets/help-1a2b.js")).statusCode).toBe(200);
    await rm(asset);
    await rm(seen);
    for (const path of ["/assets/menu-1a2b.js", "/assets/help-1a2b.js"]) {
      const answer = await app.inject(path);
      expect([answer.statusCode, answer.json().code]).toEqual([404, "WHENCE_ERR_ROUTE_UNKNOWN"]);
      expect(answer.headers).not.toHaveProperty("cache-control");
      expect(answer.headers).not.toHaveProperty("etag");
    }
  });
});
