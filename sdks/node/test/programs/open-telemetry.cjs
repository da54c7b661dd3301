// A service with OpenTelemetry's SDK and the client. Prints the spans, and what the other service received.
const { trace } = require("@opentelemetry/api");
const { registerInstrumentations } = require("@opentelemetry/instrumentation");
const { HttpInstrumentation } = require("@opentelemetry/instrumentation-http");
const { UndiciInstrumentation } = require("@opentelemetry/instrumentation-undici");
const { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } = require("@opentelemetry/sdk-trace-node");

const { init, captureException, flush } = require(process.env.WHENCE_SDK);
const { whenceListener } = require(process.env.WHENCE_SDK.replace(/index\.cjs$/, "frameworks/http.cjs"));

const exporter = new InMemorySpanExporter();
const startTracing = () => {
  registerInstrumentations({ instrumentations: [new HttpInstrumentation(), new UndiciInstrumentation()] });
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
};
const startClient = () => init({ apiKey: "k", endpoint: process.env.WHENCE_ENDPOINT });
for (const start of process.argv[2] === "client-first" ? [startClient, startTracing] : [startTracing, startClient])
  start();

// Modules loaded from now on are instrumented.
const { createServer, get } = require("node:http");

const listening = (listener) =>
  new Promise((resolve) => {
    const server = createServer(listener).listen(0, "127.0.0.1", () => resolve(server));
  });
const urlOf = (server) => `http://127.0.0.1:${server.address().port}/`;
const httpGet = (url) =>
  new Promise((resolve, reject) => {
    get(url, (response) => response.resume().on("end", resolve)).on("error", reject);
  });

async function main() {
  const sent = [];
  const upstream = await listening((request, response) => {
    sent.push(request.rawHeaders.filter((_, index, all) => index % 2 === 1 && /^traceparent$/i.test(all[index - 1])));
    response.end();
  });
  const active = {};
  const server = await listening(
    whenceListener(async (_request, response) => {
      Object.assign(active, trace.getActiveSpan().spanContext());
      await httpGet(urlOf(upstream));
      await (await fetch(urlOf(upstream))).text();
      captureException(new Error("inside"));
      response.end();
    }),
  );
  await httpGet(urlOf(server));
  await flush();
  upstream.close();
  server.close();
  upstream.closeAllConnections();
  server.closeAllConnections();
  const spans = exporter.getFinishedSpans().map((span) => ({ traceId: span.spanContext().traceId }));
  console.log(JSON.stringify({ sent, active, spans }));
}

void main();
