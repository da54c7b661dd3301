import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { makeCertificates } from "../../servers/cluster-certificates.ts";
import { type Answer, vendorAnswers, vendorNames } from "./vendor-answers.ts";

/** A request that the double received. */
interface Asked {
  readonly host: string;
  readonly path: string;
  readonly text: string;
}

/** How the double behaves: it answers as documented, or rejects requests and echoes them. */
export type Behavior = "answers" | "refuses" | "refuses-some";

/** All vendors at once, over TLS: by host name, or below a path of an address that a person enters. */
export interface VendorDouble {
  readonly url: string;
  readonly authority: string;
  readonly port: number;
  readonly asked: readonly Asked[];
  behavior: Behavior;
  /** What vendors issue when something is authorized. */
  readonly handedOut: Record<string, string>;
  close(): Promise<void>;
}

export async function startVendorDouble(handedOut: Record<string, string>): Promise<VendorDouble> {
  const { authority, server: own } = await makeCertificates(vendorNames);
  const asked: Asked[] = [];
  const server = createServer(own, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const one = askedBy(request, Buffer.concat(chunks).toString("utf8"));
    asked.push(one);
    respond(double, one, request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const double: VendorDouble = {
    url: `https://127.0.0.1:${port}`,
    authority,
    port,
    asked,
    behavior: "answers",
    handedOut,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return double;
}

function askedBy({ headers, url: target = "", method }: IncomingMessage, body: string): Asked {
  const { pathname } = new URL(target, "https://double");
  const [name = ""] = (headers.host ?? "").split(":");
  const [, first = "", ...rest] = pathname.split("/");
  const isNamed = name !== "127.0.0.1";
  const path = isNamed ? pathname : `/${rest.join("/")}`;
  const text = JSON.stringify({ method, url: target, headers, body });
  return { host: isNamed ? name : first, path, text };
}

/** By host: what a vendor does when only some of them reject. */
const refusals: Readonly<Record<string, number | "hangs" | "breaks" | "echoes">> = {
  "api.cloudflare.com": 401,
  "api.newrelic.com": 403,
  "gitlab.com": 400,
  search: 500,
  "api.mezmo.com": "hangs",
  observability: "breaks",
  "logs.us-east-1.amazonaws.com": 400,
  "monitoring.us-east-1.amazonaws.com": 400,
  "app.daytona.io": 302,
  "api.linear.app": 429,
  "uptime.betterstack.com": "echoes",
};

function respond(
  { behavior, handedOut }: VendorDouble,
  one: Asked,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const refusal = behavior === "refuses" ? (refusals[one.host] ?? 401) : refusals[one.host];
  const answer = vendorAnswers(one.host, one.path, request.headers, handedOut);
  if (behavior === "answers" || (behavior === "refuses-some" && refusal === undefined)) send(response, answer);
  else if (typeof refusal === "number") refuse(response, refusal, one.text);
  else if (refusal === "breaks") response.writeHead(200, { "content-type": "application/json" }).end(one.text.slice(1));
  else if (refusal === "echoes") send(response, { body: { ...JSON.parse(one.text), data: one.text } });
  else if (behavior === "refuses") refuse(response, 401, one.text);
}

function send(response: ServerResponse, { status = 200, type = "application/json", body }: Answer): void {
  response.writeHead(status, { "content-type": type }).end(body === undefined ? undefined : JSON.stringify(body));
}

/** Echoes the request in every part of the answer. */
function refuse(response: ServerResponse, status: number, text: string): void {
  const said = text.replace(/[^\x20-\x7e]|"/g, "'");
  const headers = {
    "content-type": "application/json",
    "x-error": said,
    "www-authenticate": `Bearer error="invalid_token", error_description="${said}"`,
    location: `https://elsewhere.example/?sent=${encodeURIComponent(text)}`,
    "retry-after": "60",
  };
  const body = { message: text, error: text, errors: [{ message: text }], error_description: text, __type: text };
  response.writeHead(status, said.slice(0, 2_000), headers).end(JSON.stringify(body));
}
