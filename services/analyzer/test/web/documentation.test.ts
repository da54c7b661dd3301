import { createHash } from "node:crypto";
import Fastify, { type FastifyInstance } from "fastify";
import { beforeEach, describe, expect, it } from "vitest";
import { answerError } from "../../src/http/error-handler.ts";
import type { WebBundle } from "../../src/web/bundle.ts";
import { documentationRoutes } from "../../src/web/documentation.ts";
import { webRoutes } from "../../src/web/routes.ts";
import { bundled, testBundle } from "../test-service.ts";

const inline = 'document.documentElement.classList.add("dark")';
const page = (text: string) => bundled("text/html; charset=utf-8", Buffer.from(text));
const site: WebBundle = new Map([
  ["/index.html", page(`<script id="scheme">${inline}</script><script src="/docs/assets/app.1a2b.js"></script>Start`)],
  ["/404.html", page("Not found")],
  ["/sdk/node.html", page("The Node.js client")],
  ["/assets/app.1a2b.js", bundled("text/javascript; charset=utf-8", Buffer.from("run()"))],
]);

function serve(documentation: WebBundle | null): FastifyInstance {
  const app = Fastify();
  app.setErrorHandler(answerError);
  webRoutes(app, () => testBundle);
  documentationRoutes(app, () => documentation);
  return app;
}

describe("the documentation", () => {
  let app: FastifyInstance;
  beforeEach(() => {
    app = serve(site);
  });

  it("begins at /docs/, and /docs redirects there", async () => {
    const moved = await app.inject("/docs");
    expect([moved.statusCode, moved.headers.location]).toEqual([308, "/docs/"]);
    const start = await app.inject("/docs/");
    expect([start.statusCode, start.body]).toEqual([200, expect.stringContaining("Start")]);
    expect(start.headers["cache-control"]).toBe("no-cache");
  });

  it("has pages by their names without an extension", async () => {
    const answer = await app.inject("/docs/sdk/node?from=app");
    expect([answer.statusCode, answer.body]).toEqual([200, "The Node.js client"]);
    const again = await app.inject({
      url: "/docs/sdk/node",
      headers: { "if-none-match": String(answer.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
  });

  it("allows the scripts in its own pages, by their hashes, and no others", async () => {
    const policy = String((await app.inject("/docs/")).headers["content-security-policy"]);
    const hash = createHash("sha256").update(inline).digest("base64");
    expect(policy).toContain(`default-src 'none'; script-src 'self' 'sha256-${hash}'; style-src 'self';`);
    expect(policy).not.toContain("unsafe");
  });

  it("answers an unknown page with 404 and a page that says so", async () => {
    const answer = await app.inject("/docs/nothing");
    expect([answer.statusCode, answer.body]).toEqual([404, "Not found"]);
    const outside = await app.inject("/docs/..%2f..%2fpackage.json");
    expect(outside.statusCode).toBe(404);
  });

  it("has assets that browsers cache permanently, except unknown ones", async () => {
    const asset = await app.inject("/docs/assets/app.1a2b.js");
    expect([asset.statusCode, asset.body]).toEqual([200, "run()"]);
    expect(asset.headers["cache-control"]).toContain("immutable");
    const unknown = await app.inject("/docs/assets/app.3c4d.js");
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, "WHENCE_ERR_ROUTE_UNKNOWN"]);
    expect(unknown.headers["cache-control"]).toBeUndefined();
  });

  it("leaves the page of the HTTP API where it is", async () => {
    expect((await app.inject("/docs/api")).body).toContain("HTTP API");
  });
});

describe("documentation that isn't built yet", () => {
  it("is answered with when to ask again and how to build it", async () => {
    const answer = await serve(null).inject("/docs/");
    expect([answer.statusCode, answer.json().code]).toEqual([503, "WHENCE_ERR_DOCS_NOT_BUILT"]);
    expect(answer.headers["retry-after"]).toBe("5");
    expect(answer.json().detail).toContain("pnpm build");
  });

  it("is answered in words to a person, whose browser asks again on its own", async () => {
    const answer = await serve(null).inject({ url: "/docs/sdk/node", headers: { accept: "text/html" } });
    expect([answer.statusCode, answer.headers.refresh]).toEqual([503, "5"]);
    expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(answer.body).toMatch(/^The documentation is not built yet: try again in a few seconds\./);
  });
});
