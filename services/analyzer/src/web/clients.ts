import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { byAnyone } from "../http/access.ts";
import { answerUnknownRoute } from "../http/error-handler.ts";
import { answerNotBuilt } from "./not-built.ts";

/** A file of `/sdk` as sent. */
interface ServedFile {
  readonly type: string;
  readonly sha256: Buffer;
  readonly content: Buffer;
}

/** The packed clients and their checksums, by name, such as `node.tgz`. Less than a megabyte, kept in memory. */
export type ServedClients = ReadonlyMap<string, ServedFile>;

const statusNotModified = 304;
const types: Readonly<Record<string, string>> = {
  ".tgz": "application/gzip",
  ".gz": "application/gzip",
  ".whl": "application/zip",
  ".txt": "text/plain; charset=utf-8",
  ".html": "text/html; charset=utf-8",
};
/** The page of the Python client in the simple repository, as built; it isn't served under this name. */
const simplePage = "simple.html";
const simpleProjects = '<!doctype html>\n<title>Simple repository</title>\n<a href="whence/">whence</a>\n';

/** Reads the clients' build output in a folder. */
export function readServedClients(folder: string): ServedClients {
  const names = globSync("*.{tgz,tar.gz,whl,txt,html}", { cwd: folder });
  return new Map(names.map((name) => [name, readServedFile(join(folder, name))]));
}

function readServedFile(path: string): ServedFile {
  const content = readFileSync(path);
  return { type: types[extname(path)] ?? "", sha256: createHash("sha256").update(content).digest(), content };
}

/**
 * Serves the clients, for `npm install` and `npx` by URL: `/sdk/node.tgz` and the others, and `/sdk/checksums.txt`. For
 * pip, `/sdk/simple/` is an index with the Python client, whose files have their version in their names. Each response
 * has its digest, as defined in RFC 9530.
 */
export function clientRoutes(app: FastifyInstance, clients: () => ServedClients | null): void {
  app.get<{ Params: { file: string } }>("/sdk/:file", byAnyone, async (request, reply) => {
    const { file } = request.params;
    return sendFile(clients(), file === simplePage ? "" : file, request, reply);
  });
  app.get("/sdk/simple/", byAnyone, async (request, reply) => {
    if (clients() === null) return answerNotBuilt(request, reply, "WHENCE_ERR_CLIENTS_NOT_BUILT");
    return reply.type(types[".html"] ?? "").send(simpleProjects);
  });
  app.get("/sdk/simple/whence/", byAnyone, async (request, reply) => sendFile(clients(), simplePage, request, reply));
}

function sendFile(clients: ServedClients | null, name: string, request: FastifyRequest, reply: FastifyReply): unknown {
  if (clients === null) return answerNotBuilt(request, reply, "WHENCE_ERR_CLIENTS_NOT_BUILT");
  const file = clients.get(name);
  if (!file) return answerUnknownRoute(request, reply);
  const etag = `"${file.sha256.toString("base64url")}"`;
  reply.headers({
    etag,
    // The name stays the same when the service is upgraded, so a cached copy must be revalidated.
    "cache-control": "public, no-cache",
    "repr-digest": `sha-256=:${file.sha256.toString("base64")}:`,
    "x-content-type-options": "nosniff",
  });
  if (request.headers["if-none-match"] === etag) return reply.code(statusNotModified).send();
  return reply.type(file.type).send(file.content);
}
