import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { unlink, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { createBrotliDecompress, createGunzip, createZstdDecompress, gzipSync } from "node:zlib";

/** The part of the embedded engine that is used; the storage package depends on it. */
interface Session {
  queryAsync(sql: string, options?: { format: string }): Promise<{ bytes(): Uint8Array }>;
  close(): void;
}
interface Engine {
  readonly Session: new (path: string) => Session;
  drainPending(): Promise<void>;
}

const storagePackage = join(import.meta.dirname, "../../services/storage/package.json");
const { Session, drainPending }: Engine = createRequire(storagePackage)("chdb");

/** ClickHouse's own default; clients close their idle sockets earlier. */
const keepAliveMs = 10_000;
/** Parameters of the HTTP interface that aren't settings. */
const notSettings = new Set(["query", "database", "default_format", "query_id", "session_id", "user", "password"]);
/** Matches `INSERT INTO table (columns) FORMAT name`, whose rows are the body. */
const insertStatement = /^\s*(INSERT\s+INTO\s.+?)\s+FORMAT\s+(\w+)\s*$/is;

const [directory, port] = process.argv.slice(2);
if (directory === undefined) throw new Error("usage: clickhouse-front-program.ts <data directory> <port>");
const incoming = join(directory, "incoming");
rmSync(incoming, { recursive: true, force: true });
mkdirSync(incoming, { recursive: true });

/** The engine, shared by all requests. Each request has its own session, so its settings end with it. */
const engine = new Session(directory);
/** Server settings that the embedded engine doesn't have. */
const refusedSettings = new Set<string>();
/** Serializes statements: the engine's sessions aren't safe for concurrent use. */
let last: Promise<unknown> = Promise.resolve();

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
});
server.keepAliveTimeout = keepAliveMs;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://front");
  if (pathname === "/ping") {
    response.end("Ok.\n");
    return;
  }
  const body = await unpacked(request);
  const ran = last.then(() => run(searchParams, body));
  last = ran.catch(() => undefined);
  const headers = { "X-ClickHouse-Query-Id": searchParams.get("query_id") ?? randomUUID() };
  try {
    const bytes = await ran;
    const isPacked = searchParams.get("enable_http_compression") === "1" && acceptsGzip(request);
    response.writeHead(200, { ...headers, ...(isPacked && { "Content-Encoding": "gzip" }) });
    response.end(isPacked ? gzipSync(bytes, { level: 1 }) : bytes);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, code = "1"] = /Code: (\d+)/.exec(message) ?? [];
    response.writeHead(500, { ...headers, "X-ClickHouse-Exception-Code": code });
    response.end(`${message}\n`);
  }
}

function unpacked(request: IncomingMessage): Promise<Buffer> {
  const encoding = request.headers["content-encoding"];
  if (encoding === "gzip") return buffer(request.pipe(createGunzip()));
  if (encoding === "zstd") return buffer(request.pipe(createZstdDecompress()));
  if (encoding === "br") return buffer(request.pipe(createBrotliDecompress()));
  return buffer(request);
}

function acceptsGzip({ headers }: IncomingMessage): boolean {
  return String(headers["accept-encoding"] ?? "").includes("gzip");
}

async function run(parameters: URLSearchParams, body: Buffer): Promise<Uint8Array> {
  const session = new Session(directory ?? "");
  try {
    await prepare(session, parameters);
    const format = parameters.get("default_format") ?? "TabSeparated";
    const query = parameters.get("query") ?? "";
    const [, insert, rowFormat] = insertStatement.exec(query) ?? [];
    if (insert === undefined) return await statement(session, `${query}\n${body.toString()}`, format);
    if (body.length === 0) return new Uint8Array();
    const file = join(incoming, randomUUID());
    await writeFile(file, body);
    try {
      return await statement(session, `${insert} FROM INFILE '${file}' FORMAT ${rowFormat}`, format);
    } finally {
      await unlink(file);
    }
  } finally {
    session.close();
  }
}

async function prepare(session: Session, parameters: URLSearchParams): Promise<void> {
  const database = parameters.get("database");
  if (database !== null && database !== "default") await session.queryAsync(`USE \`${database}\``);
  for (const [name, value] of parameters) {
    if (notSettings.has(name) || refusedSettings.has(name) || !/^\w+$/.test(name)) continue;
    try {
      await session.queryAsync(`SET ${name} = '${value.replace(/[\\']/g, "\\$&")}'`);
    } catch (error) {
      if (name.startsWith("param_")) throw error;
      refusedSettings.add(name);
    }
  }
}

async function statement(session: Session, sql: string, format: string): Promise<Uint8Array> {
  return (await session.queryAsync(sql, { format })).bytes();
}

async function stop(): Promise<void> {
  server.close();
  server.closeIdleConnections();
  await last;
  engine.close();
  await drainPending();
  process.exit(0);
}

process.once("SIGTERM", stop);
process.stdin.resume().once("end", () => process.exit(1));
server.listen(Number(port), "127.0.0.1");
await once(server, "listening");
console.log("ready");
