import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { z } from "zod";
import { lineOf, placeOf } from "../../test/e2e/reporting-programs.ts";
import { fencesIn } from "../../test/markdown.ts";
import { readRepositoryFile } from "../../test/repository-files.ts";
import { freePort } from "../../test/servers/free-port.ts";
import { becomeOwner } from "../../test/servers/owner-session.ts";
import { startServerProcess } from "../../test/servers/server-process.ts";
import { markdownTable } from "../table.ts";
import { type Client, clients } from "./clients.ts";
import { builtCollector, collectorVersion, startCollector, stopCollector } from "./collector.ts";

const { values: options } = parseArgs({
  options: {
    /** A part of a client's name; all by default. */
    only: { type: "string", default: "" },
    /** Where a Collector was built before, or is to be kept. */
    collector: { type: "string" },
  },
});

const execute = promisify(execFile);
const chosen = clients.filter(({ name }) => name.includes(options.only));
const folder = await mkdtemp(join(tmpdir(), "whence-clients-"));
const server = await startServerProcess(join(folder, "data"), await freePort());
try {
  const cookie = await becomeOwner(server.url, server.output());
  const rows: string[][] = [];
  for (const client of chosen) rows.push(await tried(client, cookie));
  console.log(markdownTable(["client", "version", "cause", "report"], rows));
  if (rows.some(([, , cause, place]) => cause !== place)) process.exitCode = 1;
} finally {
  await server.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
}

/** Builds a client's program, runs it, and returns its row of the table once there is a report. */
async function tried(client: Client, cookie: string): Promise<string[]> {
  const service = client.name.replaceAll(/\W+/g, "-");
  const cwd = join(folder, service);
  await cp(join(import.meta.dirname, client.folder), cwd, { recursive: true });
  console.error(`${client.name}: builds`);
  await execute("sh", ["-c", client.build], { cwd });
  const run = client.throughCollector ? throughCollector : straight;
  await run(client, cwd, service, cookie);
  const { file, text } = client.cause;
  const cause = `${file}:${await lineOf(join(cwd, file), text)}`;
  const place = await placeOf(server.url, service).catch((error: Error) => error.message);
  // Programs name their files by more or less of the path.
  const same = cause.endsWith(place) || place.endsWith(`/${cause}`);
  return [client.name, await versionOf(client, cwd), cause, same ? cause : place];
}

async function straight(client: Client, cwd: string, service: string, cookie: string): Promise<void> {
  if (client.kind === "sentry") return fail(client, cwd, { SENTRY_DSN: await dsnOf(service, cookie) });
  await fail(client, cwd, {
    OTEL_EXPORTER_OTLP_ENDPOINT: server.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
    OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${await sendingKey(cookie)}`,
    OTEL_SERVICE_NAME: service,
  });
}

/** Sends over gRPC to a Collector with the guide's configuration, only the address replaced. */
async function throughCollector(client: Client, cwd: string, service: string, cookie: string): Promise<void> {
  const guide = fencesIn(readRepositoryFile("docs/sdk/opentelemetry.md"));
  const configuration = guide.find(({ language }) => language === "yaml")?.text ?? "";
  const file = join(cwd, "collector.yaml");
  await writeFile(file, configuration.replace("https://whence.shop.example", server.url));
  const program = await builtCollector(options.collector ?? join(folder, "collector"));
  const collector = await startCollector(program, file, { WHENCE_API_KEY: await sendingKey(cookie) });
  try {
    const endpoint = "http://127.0.0.1:4317";
    const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" };
    await fail(client, cwd, { ...variables, OTEL_SERVICE_NAME: service });
  } finally {
    await stopCollector(collector);
  }
}

/** Runs a program that fails. */
async function fail(client: Client, cwd: string, variables: Record<string, string>): Promise<void> {
  const env = { ...process.env, ...client.variables, ...variables };
  await execute("sh", ["-c", client.run], { cwd, env }).catch((error: unknown) => error);
}

async function versionOf({ version, throughCollector: collector }: Client, cwd: string): Promise<string> {
  if ("command" in version) return (await execute("sh", ["-c", version.command], { cwd })).stdout;
  const own = version.pattern.exec(await readFile(join(cwd, version.file), "utf8"))?.[1] ?? "unknown";
  return collector ? `${own}, ${collectorVersion}` : own;
}

async function dsnOf(service: string, cookie: string): Promise<string> {
  const project = { service, origins: [] };
  const created = await createKey({ name: service, scope: "sentry", project }, cookie);
  return z.object({ dsn: z.string() }).parse(created).dsn;
}

async function sendingKey(cookie: string): Promise<string> {
  const created = await createKey({ name: "opentelemetry", scope: "send" }, cookie);
  return z.object({ api_key: z.string() }).parse(created).api_key;
}

/** Creates a key, as an owner does under Settings → API keys. */
async function createKey(key: object, cookie: string): Promise<unknown> {
  const answer = await fetch(`${server.url}/api/keys`, {
    ...{ method: "POST", body: JSON.stringify(key) },
    headers: { "content-type": "application/json", cookie },
  });
  return answer.json();
}
