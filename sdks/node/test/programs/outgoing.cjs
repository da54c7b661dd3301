"use strict";
// Sends requests in every way, then an error with the breadcrumbs.
const { createHash } = require("node:crypto");
const http = require("node:http");
const http2 = require("node:http2");
const { captureException, flush, init } = require(process.env.WHENCE_SDK);

const undici = process.argv[2] && require(process.argv[2]);
const agent = new http.Agent({ keepAlive: true });
const settled = (promise) => promise.catch(() => undefined);

/** Sends a request with node:http; `prepare` may end it early. */
function ask(options, prepare = () => undefined) {
  return new Promise((resolve) => {
    const request = http.request(options, (response) => response.resume().on("close", resolve));
    request.on("error", resolve).on("upgrade", (_response, socket) => {
      socket.destroy();
      resolve();
    });
    prepare(request);
    request.end();
  });
}

function serve(listener) {
  const server = http.createServer(listener);
  server.on("upgrade", ({ headers }, socket) => {
    const key = headers["sec-websocket-key"];
    if (key) {
      const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
      );
    } else socket.end("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n");
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}

async function overHttp(port, url) {
  await ask({ port, path: "/kept", agent });
  await ask({ port, path: "/kept", agent });
  await ask({ port, path: "/hang" }, (request) => request.on("socket", () => setTimeout(() => request.destroy(), 20)));
  await ask({ port, path: "/hang", timeout: 20 }, (request) =>
    request.on("timeout", () => request.destroy(new Error("too slow"))),
  );
  await ask({ port, path: "/switch", headers: { connection: "upgrade", upgrade: "x" } });
  await ask({ port, path: "http://user:secret@behind.proxy/x?a=b" });
  await ask({ port, method: "CONNECT", path: "behind.proxy:443" });
  await ask(new URL(`${url.replace("//", "//user:secret@")}/user`));
}

async function overFetch(url) {
  await (await fetch(`${url}/redirect`)).text();
  await settled(fetch(`${url}/hang`, { signal: AbortSignal.timeout(50) }));
  await settled(fetch(`${url}/broken`).then((response) => response.text()));
}

async function overWebSocket(url) {
  for (const address of [`${url}/socket`, url.replace(/\d+$/, "2")]) {
    const socket = new WebSocket(address.replace("http", "ws"));
    await new Promise((resolve) => {
      socket.onopen = socket.onerror = resolve;
    });
    socket.close();
  }
}

async function overUndici(url) {
  const { body } = await undici.request(`${url}/undici?q=1`);
  await body.text();
  await settled(undici.fetch(`${url}/broken`).then((response) => response.text()));
  const proxy = new undici.Client(url);
  const behind = await proxy.request({ method: "GET", path: "http://user:secret@behind.proxy/x?a=b" });
  await behind.body.text();
  await settled(proxy.connect({ path: "behind.proxy:443" }));
}

async function overHttp2() {
  const server = http2.createServer((request, response) => {
    if (request.url === "/reset") response.stream.close(2);
    else response.writeHead(204).end();
  });
  await new Promise((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const session = http2.connect(`http://127.0.0.1:${server.address().port}`);
  for (const path of ["/two", "/reset"]) {
    await new Promise((resolve) => {
      const stream = session.request({ ":path": path });
      stream.on("error", () => undefined).on("close", resolve);
      stream.resume();
    });
  }
  await new Promise(setImmediate);
  session.close();
  server.close();
}

async function main() {
  init({ apiKey: "k", endpoint: process.env.WHENCE_ENDPOINT });
  const server = await serve((request, response) => {
    if (request.url === "/hang") return;
    if (request.url === "/redirect") response.writeHead(302, { location: "/landed" }).end();
    else if (request.url === "/broken") {
      response.writeHead(200, { "content-length": 100 }).write("half");
      setTimeout(() => response.destroy(), 20);
    } else response.end("ok");
  });
  const { port } = server.address();
  const url = `http://127.0.0.1:${port}`;
  if (undici) await overUndici(url);
  else {
    await overHttp(port, url);
    await overFetch(url);
    await overHttp2();
    if (globalThis.WebSocket) await overWebSocket(url);
  }
  // The client's own requests, before and after, aren't the program's.
  captureException(new Error("first"));
  await flush();
  captureException(new Error("seen"));
  await flush();
  process.exit();
}

void main();
