import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { answerError } from "../../src/http/error-handler.ts";
import { clientRoutes, readServedClients, type ServedClients } from "../../src/web/clients.ts";
import { latestBuild } from "../../src/web/latest-build.ts";

const tarball = Buffer.from("a tarball");
const sha256 = (encoding: "base64" | "hex") => createHash("sha256").update(tarball).digest(encoding);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-clients-"));
  onTestFinished(() => rm(folder, { recursive: true }));
});

function serve(clients: () => ServedClients | null): FastifyInstance {
  const app = Fastify();
  app.setErrorHandler(answerError);
  clientRoutes(app, clients);
  return app;
}

describe("the clients", () => {
  let app: FastifyInstance;
  beforeEach(async () => {
    await writeFile(join(folder, "node.tgz"), tarball);
    await writeFile(join(folder, "checksums.txt"), `${sha256("hex")}  node.tgz\n`);
    await writeFile(join(folder, "built-from"), "x");
    await writeFile(join(folder, "simple.html"), '<a href="../../whence-1.2.0-py3-none-any.whl">…</a>');
    await writeFile(join(folder, "whence-1.2.0-py3-none-any.whl"), tarball);
    app = serve(latestBuild(folder, readServedClients));
  });

  it("are sent as they were built, with their digest", async () => {
    const answer = await app.inject("/sdk/node.tgz");
    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload).toEqual(tarball);
    expect(answer.headers).toMatchObject({
      "content-type": "application/gzip",
      "cache-control": "public, no-cache",
      "repr-digest": `sha-256=:${sha256("base64")}:`,
    });
  });

  it("aren't sent again to a caller that has them", async () => {
    const { etag } = (await app.inject("/sdk/node.tgz")).headers;
    const again = await app.inject({ url: "/sdk/node.tgz", headers: { "if-none-match": String(etag) } });
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, "", etag]);
    const older = await app.inject({ url: "/sdk/node.tgz", headers: { "if-none-match": '"older"' } });
    expect(older.statusCode).toBe(200);
  });

  it("come with their checksums as text", async () => {
    const answer = await app.inject("/sdk/checksums.txt");
    expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(answer.body).toBe(`${sha256("hex")}  node.tgz\n`);
  });

  it("are listed for pip in a simple repository", async () => {
    const projects = await app.inject("/sdk/simple/");
    expect(projects.headers["content-type"]).toBe("text/html; charset=utf-8");
    const [, project = ""] = /href="(.+?)"/.exec(projects.body) ?? [];
    const page = await app.inject(`/sdk/simple/${project}`);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    const [, file = ""] = /href="(.+?)"/.exec(page.body) ?? [];
    const wheel = await app.inject(new URL(file, `http://x/sdk/simple/${project}`).pathname);
    expect(wheel.headers["content-type"]).toBe("application/zip");
    expect(wheel.rawPayload).toEqual(tarball);
  });

  it.each(["built-from", "simple.html", "python.tgz", "..%2fpackage.json", "__proto__"])(
    "have no file called %s",
    async (name) => {
      const answer = await app.inject(`/sdk/${name}`);
      expect([answer.statusCode, answer.json().code]).toEqual([404, "WHENCE_ERR_ROUTE_UNKNOWN"]);
    },
  );
});

describe("clients that aren't built yet", () => {
  it("are answered with when to ask again and how to build them", async () => {
    const app = serve(latestBuild(folder, readServedClients));
    for (const path of ["/sdk/node.tgz", "/sdk/simple/", "/sdk/simple/whence/"]) {
      const answer = await app.inject({ url: path, headers: { accept: "text/html" } });
      expect([answer.statusCode, answer.json().code]).toEqual([503, "WHENCE_ERR_CLIENTS_NOT_BUILT"]);
      expect(answer.headers["retry-after"]).toBe("5");
      expect(answer.json().detail).toContain("pnpm build");
    }
  });

  it("are served once they are built", async () => {
    const app = serve(latestBuild(folder, readServedClients));
    expect((await app.inject("/sdk/node.tgz")).statusCode).toBe(503);
    await writeFile(join(folder, "node.tgz"), tarball);
    expect((await app.inject("/sdk/node.tgz")).statusCode).toBe(503);
    await writeFile(join(folder, "built-from"), "x");
    expect((await app.inject("/sdk/node.tgz")).rawPayload).toEqual(tarball);
  });
});
