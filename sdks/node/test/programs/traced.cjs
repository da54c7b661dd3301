"use strict";
// A program traced by OpenTelemetry. Prints its outgoing spans.
const { once } = require("node:events");
const { HttpInstrumentation } = require("@opentelemetry/instrumentation-http");
const { registerInstrumentations } = require("@opentelemetry/instrumentation");
const { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } = require("@opentelemetry/sdk-trace-node");

const exporter = new InMemorySpanExporter();
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
registerInstrumentations({ instrumentations: [new HttpInstrumentation()] });

const { createServer, get } = require("node:http");
const { captureException, flush, init } = require(process.env.WHENCE_SDK);

const client = 2;

async function main() {
  init({ apiKey: "k", endpoint: process.env.WHENCE_ENDPOINT });
  captureException(new Error("one"));
  await flush();
  const server = createServer((_request, response) => response.end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  await new Promise((resolve) => {
    get({ port: server.address().port, path: "/own" }, (response) => response.resume().on("close", resolve));
  });
  captureException(new Error("two"));
  await flush();
  const spans = exporter.getFinishedSpans().filter(({ kind }) => kind === client);
  console.log(JSON.stringify(spans.map(({ attributes }) => attributes["http.target"] ?? attributes["url.full"])));
  process.exit();
}

void main();
