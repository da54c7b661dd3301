"use strict";
// A gateway that accepts everything, or fails according to its mode. Counts the errors it accepted.
const http = require("node:http");
const { gunzipSync, inflateSync } = require("node:zlib");
const { onQuestion, say } = require("./adapter.cjs");

const page = "<html><body>Welcome to your hotel</body></html>";
let mode = "well";
let seen = new Set();
let lost = 0;

const answers = {
  well: (response) => response.writeHead(202, { "content-type": "application/json" }).end("{}"),
  slow: (response) => setTimeout(() => answers.well(response), 5_000),
  hanging: () => undefined,
  500: (response) => response.writeHead(500).end(page),
  429: (response) => response.writeHead(429, { "retry-after": "1" }).end(),
  413: (response) => response.writeHead(413).end(),
  "a page": (response) => response.writeHead(200, { "content-type": "text/html" }).end(page),
  "a redirect": (response) => response.writeHead(307, { location: "/elsewhere" }).end(),
  garbage: (response) => response.socket.end("220 mail.example ESMTP\r\n"),
  "half an answer": (response) => {
    response.writeHead(202, { "content-length": 100 }).write('{"acc');
    setTimeout(() => response.destroy(), 10);
  },
  "an endless answer": (response) => {
    response.writeHead(200);
    const pour = setInterval(() => response.write(Buffer.alloc(65_536)), 1);
    response.on("close", () => clearInterval(pour));
  },
};

function unpack(body, encoding) {
  if (encoding === "gzip") return gunzipSync(body);
  return encoding === "deflate" ? inflateSync(body) : body;
}

function take(text) {
  for (const [, marker] of text.matchAll(/MK([\w-]+)#/g)) seen.add(marker);
  for (const [, from, to] of text.matchAll(/"from_seq":(\d+),"to_seq":(\d+)/g)) lost += to - from + 1;
}

const server = http.createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk)).on("error", () => undefined);
  request.on("end", () => {
    if (mode === "well" || mode === "slow") {
      take(unpack(Buffer.concat(chunks), request.headers["content-encoding"]).toString());
    }
    answers[mode](response);
  });
});
server.keepAliveTimeout = 0;

onQuestion((question) => {
  if (question.mode) mode = question.mode;
  if (question.reset) {
    seen = new Set();
    lost = 0;
  }
  return { errors: seen.size, lost };
});
server.listen(Number(process.argv[2] ?? 0), "127.0.0.1", () => say({ port: server.address().port }));
