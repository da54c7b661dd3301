import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { incidentSchema } from "@whence/protocol";
import { openStorage, telemetryTopic } from "@whence/storage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { startClickHouseFront } from "../servers/clickhouse-front.ts";
import { freePort } from "../servers/free-port.ts";
import { startNatsServer } from "../servers/nats-server.ts";
import { startPostgres } from "../servers/postgres.ts";
import {
  bootstrapKey,
  eventually,
  runCommand,
  type ServerProcess,
  startServerProcess,
} from "../servers/server-process.ts";
import { batchOf, exceptionEvent, sendBatch } from "./telemetry-batch.ts";

const eventsSent = 5;

let folder: string;
let server: ServerProcess;
let environment: Record<string, string>;
const servers = new AsyncDisposableStack();
const backup = (): string => join(folder, "whence.ndjson.gz");

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-operations-"));
  const port = await freePort();
  environment = { WHENCE_DATA_DIR: join(folder, "data"), PORT: String(port) };
  await poison(join(folder, "data"));
  server = await startServerProcess(join(folder, "data"), port);
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await servers.disposeAsync();
  await rm(folder, { recursive: true, force: true });
});

/** Publishes a message that no writer can read. */
async function poison(dataDirectory: string): Promise<void> {
  const storage = await openStorage({ dataDirectory, secretKeys: [randomBytes(32)] });
  await storage.queue.publish(telemetryTopic, [{ id: "poison", body: "{" }]);
  await storage.close();
}

async function command(...args: string[]): Promise<string> {
  const { code, printed, said } = await runCommand(environment, args);
  expect([code, said]).toEqual([0, ""]);
  return printed.trim();
}

const incidentsSchema = z.object({ incidents: z.array(incidentSchema) });
const deliveriesSchema = z.object({ deliveries: z.array(z.object({ received: z.int(), last_seq: z.int() })) });

/**
 * Returns what people and programs see of a service: incidents with their reports, and event counts. Without the times
 * of refinements, since a restored service continues them.
 */
async function seen(url: string) {
  const ask = async <Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.infer<Schema>> =>
    schema.parse(await (await fetch(url + path, { headers: { "x-api-key": bootstrapKey } })).json());
  const { incidents } = await ask("/api/incidents", incidentsSchema);
  const whole = await Promise.all(incidents.map(({ id }) => ask(`/api/incidents/${id}`, incidentSchema)));
  const { deliveries } = await ask("/api/deliveries", deliveriesSchema);
  return { incidents: whole.map(({ url: _, refinement: __, ...incident }) => incident), deliveries };
}

describe("an operator", () => {
  it("finds unstorable messages among the dead letters, retries them, and deletes them", async () => {
    const letters = await eventually("the dead letter", async () => {
      const listed = await command("dead-letters", "list", "--topic", "telemetry");
      return listed.includes("(poison)") ? listed : undefined;
    });
    expect(letters).toContain("it is not JSON");
    const [letter = ""] = letters.split(" ");
    expect(await command("dead-letters", "redrive", "--topic", "telemetry", "--letter", letter)).toBe(
      "published again: 1",
    );
    await eventually("its next exit", async () =>
      (await command("queues")).match(/^telemetry +0 waiting, 0 held, 1 dead/m) ? true : undefined,
    );
    expect(await command("dead-letters", "discard", "--topic", "telemetry", "--all")).toBe("thrown away: 1");
    expect(await command("dead-letters", "--topic", "telemetry")).toBe("no dead letters on telemetry");
  });

  it("is rejected with another service's key, and told when the service doesn't answer", async () => {
    const stranger = { ...environment, WHENCE_SECRET_KEY: randomBytes(32).toString("base64") };
    const refused = await runCommand(stranger, ["queues"]);
    expect([refused.code, refused.said]).toEqual([1, expect.stringContaining("401")]);
    const unreachable = await runCommand({ ...environment, PORT: String(await freePort()) }, ["queues"]);
    expect([unreachable.code, unreachable.said]).toEqual([1, expect.stringContaining("is it running there?")]);
  });

  it("backs up the running service to a file that only its owner can read, and restores it into both profiles", async () => {
    const events = Array.from({ length: eventsSent }, (_, index) => exceptionEvent("renderCart", index + 1));
    expect(await sendBatch(server.url, bootstrapKey, batchOf(events))).toBe(true);
    await eventually("the report", async () => {
      const { incidents } = await seen(server.url);
      return incidents.some(({ status }) => status === "completed") || undefined;
    });
    const before = await seen(server.url);
    expect(before.deliveries).toEqual([{ received: eventsSent, last_seq: eventsSent }]);
    await command("backup", "--to", backup());
    expect((await stat(backup())).mode & 0o777).toBe(0o600);

    const embedded = { WHENCE_DATA_DIR: join(folder, "restored") };
    const fleet = { ...(await startFleetServers()), WHENCE_DATA_DIR: join(folder, "unused") };
    for (const target of [embedded, fleet]) {
      const restored = await runCommand(target, ["restore", "--from", backup()]);
      expect([restored.code, restored.said]).toEqual([0, ""]);
      expect(restored.printed).toContain(`${eventsSent} events`);
      const copy = await startServerProcess(target.WHENCE_DATA_DIR, await freePort(), target);
      expect(await seen(copy.url)).toEqual(before);
      expect(await copy.end("SIGTERM")).toBe(0);
    }
  });

  it("can't restore over existing data, nor from a truncated file", async () => {
    const full = await runCommand({ WHENCE_DATA_DIR: join(folder, "restored") }, ["restore", "--from", backup()]);
    expect([full.code, full.said]).toEqual([1, expect.stringContaining("WHENCE_ERR_CONTROL_NOT_EMPTY")]);
    const cut = join(folder, "cut.ndjson.gz");
    await writeFile(cut, (await readFile(backup())).subarray(0, -20));
    const truncated = await runCommand({ WHENCE_DATA_DIR: join(folder, "empty") }, ["restore", "--from", cut]);
    expect([truncated.code, truncated.said]).toEqual([1, expect.stringContaining("WHENCE_ERR_BACKUP_TRUNCATED")]);
  });

  it("gives the stopped service a new secret key, with which it starts", async () => {
    const token = await command("operator-token");
    const running = await runCommand(environment, ["rotate-secret-key"]);
    expect([running.code, running.said]).toEqual([1, expect.stringContaining("WHENCE_ERR_DATA_DIRECTORY_IN_USE")]);
    expect(await server.end("SIGTERM")).toBe(0);
    expect(await command("rotate-secret-key")).toContain("re-encrypted: 1");
    server = await startServerProcess(join(folder, "data"), Number(environment.PORT));
    expect(await command("operator-token")).not.toBe(token);
    expect(await command("queues")).toContain("telemetry");
  });
});

async function startFleetServers(): Promise<Record<string, string>> {
  const [nats, postgres, clickHouse] = await Promise.all([startNatsServer(), startPostgres(), startClickHouseFront()]);
  for (const one of [nats, postgres, clickHouse]) servers.defer(() => one.stop());
  return {
    NATS_URL: nats.urls,
    CLICKHOUSE_URL: clickHouse.url,
    DATABASE_URL: await postgres.database(),
    WHENCE_SECRET_KEY: randomBytes(32).toString("base64"),
  };
}
