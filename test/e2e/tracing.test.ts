import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { freePort } from "../servers/free-port.ts";
import { bootstrapKey, eventually, startServerProcess } from "../servers/server-process.ts";
import { batchOf, exceptionEvent } from "./telemetry-batch.ts";

/** The part of OTLP over HTTP that is checked here. */
const spanSchema = z.object({ name: z.string(), traceId: z.string(), parentSpanId: z.string().optional() });
const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(z.object({ key: z.string(), value: z.unknown() })) }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});

const spans: z.infer<typeof spanSchema>[] = [];
const collector = createServer(async (request, response) => {
  const sent = exportSchema.parse(await json(request));
  spans.push(...sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
  response.writeHead(200, { "content-type": "application/json" }).end("{}");
});
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-tracing-"));
  collector.listen(0, "127.0.0.1");
  await once(collector, "listening");
});
afterAll(async () => {
  collector.close();
  await rm(folder, { recursive: true, force: true });
});

describe("a service with an OpenTelemetry collector", () => {
  it("sends the spans of a batch, with the request in its caller's trace, and the last spans at its end", async () => {
    const address = collector.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const server = await startServerProcess(folder, await freePort(), {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    });
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const answer = await fetch(`${server.url}/api/telemetry/events`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-api-key": bootstrapKey,
        traceparent: `00-${traceId}-b7ad6b7169203331-01`,
      },
      body: JSON.stringify(batchOf([exceptionEvent("render", 1)])),
    });
    expect(answer.status).toBe(202);
    await eventually("the report", async () => {
      const listed = await fetch(`${server.url}/api/incidents`, { headers: { "x-api-key": bootstrapKey } });
      return (await listed.text()).includes('"completed"') || undefined;
    });
    expect(await server.end("SIGTERM")).toBe(0);
    const names = new Set(spans.map(({ name }) => name));
    for (const name of ["store telemetry", "process failures", "process investigations"]) expect(names).toContain(name);
    const received = spans.find(({ name }) => name === "POST /api/telemetry/events");
    expect(received).toMatchObject({ traceId, parentSpanId: "b7ad6b7169203331" });
  });
});
