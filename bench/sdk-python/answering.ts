import { createServer } from "node:http";

/** A process of its own that answers everything at once: what the applications call, and the clients' backend. */
createServer((request, response) => {
  request.resume().on("end", () => {
    const body = request.url === "/upstream" ? "ok" : '{"accepted":1,"rejected":[]}';
    response.writeHead(request.url?.startsWith("/api/telemetry") ? 202 : 200, { "content-type": "application/json" });
    response.end(body);
  });
}).listen(Number(process.env.PORT), "127.0.0.1");
