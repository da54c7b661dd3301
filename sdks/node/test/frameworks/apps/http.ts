import type { IncomingMessage, ServerResponse } from "node:http";
import { whenceListener } from "../../../src/frameworks/http.ts";
import { captureException } from "../../../src/index.ts";
import { brokenStream, captured, type Framework, placeOrder, serviceOf } from "../service.ts";

/** A service with only Node: the program itself must catch and capture failures. */
export const httpFramework: Framework = {
  name: "node:http",
  mechanism: "captureException",
  start(whence) {
    const told: string[] = [];
    const listener = (request: IncomingMessage, response: ServerResponse): void => {
      serve(request, response).catch((error: unknown) => {
        told.push(String(error));
        const status = typeof error === "object" && error !== null && "status" in error ? Number(error.status) : 500;
        if (status >= 500) captureException(error);
        if (response.headersSent) response.destroy();
        else response.writeHead(status).end(`host says ${String(error)}`);
      });
    };
    return serviceOf(whence ? whenceListener(listener) : listener, told);
  },
};

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = ""] = (request.url ?? "").split("?", 1);
  if (path.startsWith("/api/orders/")) return placeOrder(path.slice("/api/orders/".length));
  if (path === "/captured") throw captured();
  if (path === "/wrong") throw Object.assign(new Error("short and stout"), { status: 418 });
  if (path === "/unavailable") throw Object.assign(new Error("closed for today"), { status: 503 });
  if (path === "/text") throw "a text";
  if (path === "/hang") return;
  if (path === "/fine") response.end(request.method === "HEAD" ? undefined : "fine");
  else if (path === "/stream") for await (const chunk of brokenStream()) response.write(chunk);
  else response.writeHead(404).end();
}
