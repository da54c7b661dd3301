import { createHash } from "node:crypto";
import Fastify from "fastify";
import type { Access } from "../../../src/http/access.ts";
import type { TestService } from "../../test-service.ts";

const methods = ["GET", "POST", "PUT", "DELETE"] as const;

/** A route as the router has it. */
export interface Route {
  readonly method: (typeof methods)[number];
  readonly url: string;
  readonly access: Access | undefined;
}

/** As failures of tests and tables name it. */
export const nameOf = ({ method, url }: Route): string => `${method} ${url}`;

export async function everyRoute(service: TestService): Promise<readonly Route[]> {
  const found: Route[] = [];
  const app = Fastify();
  app.addHook("onRoute", ({ method, url, config }) => {
    const served = methods.filter((one) => [method].flat().includes(one));
    found.push(...served.map((one) => ({ method: one, url, access: config?.access })));
  });
  await service.mount(app);
  await app.close();
  return found;
}

const rule = { name: "n", events: ["opened"], emails: ["a@acme.example"] };

const monitor = {
  name: "n",
  check: { kind: "check-in", slug: "s", schedule: { type: "interval", minutes: 5 } },
};

/** A form with one file, which is named by its SHA-1. */
function formOf(content: string): FormData {
  const form = new FormData();
  form.append("file", new File([content], createHash("sha1").update(content).digest("hex")));
  return form;
}

/** A body that each route takes which needs one. */
export const bodies: Readonly<Record<string, object>> = {
  "POST /api/incidents/:id/lifecycle": { action: "resolve" },
  "POST /api/incidents/changes": { ids: ["inc_unknown"], change: { action: "resolve" } },
  "POST /api/incidents/:id/merge": { ids: ["inc_other"] },
  "POST /api/incidents/:id/owner": { action: "let-go" },
  "POST /api/incidents/:id/shares": {},
  "POST /api/incidents/:id/watch": {},
  "POST /api/shared": { token: "whs_unknown" },
  "POST /api/incidents/:id/comments": { text: "why?" },
  "PUT /api/ownership": { rules: [] },
  "POST /api/views": { name: "n", filter: {} },
  "PUT /api/views/:id": { name: "n", filter: {} },
  "POST /api/mcp/analyze": { error_log: "Error: boom" },
  "POST /api/analyze": { error_log: "Error: boom" },
  "POST /api/analyze/preview": { error_log: "Error: boom", files: [] },
  "POST /api/agents/claim": { claim_token: "whc_unknown" },
  "POST /api/agents/claim/preview": { claim_token: "whc_unknown" },
  "POST /api/incidents/:id/feedback": { verdict: "right" },
  "POST /api/incidents/:id/questions": { question: "why?" },
  "POST /api/incidents/:id/split-off": { fingerprint: "v1:1" },
  "POST /api/alert-sources": { kind: "webhook", name: "n" },
  "PUT /api/alert-sources/:id/inputs": { inputs: { secret: "s" } },
  "PUT /api/alert-sources/:id/audience": { answers_publicly: true },
  "POST /api/monitors": monitor,
  "PUT /api/monitors/:id": monitor,
  "POST /api/keys": { name: "n", scope: "send" },
  "POST /api/notification-rules": rule,
  "PUT /api/model": { provider: "ollama", name: "m", inputs: { base_url: "http://127.0.0.1:11434" } },
  "PUT /api/model/installation": { use: true },
  "PUT /api/instructions": { text: "", version: 0 },
  "PUT /api/integrations/:kind": { api_token: "t" },
  "POST /api/integrations/:kind/name": { name: "europe" },
  "PUT /api/integrations/:kind/repositories": { repositories: {} },
  "PUT /api/notification-rules/:id": rule,
  "POST /api/releases": { service: "orders", release: "1" },
  "PUT /api/sources": { service: "orders", release: "1", files: [{ path: "a.js", sha256: "0".repeat(64) }] },
  "POST /api/sources/contents": { contents: ["text"] },
  "POST /api/0/organizations/:organization/chunk-upload/": formOf("text"),
  "POST /api/0/organizations/:organization/artifactbundle/assemble/": {
    ...{ checksum: "0".repeat(40), chunks: ["0".repeat(40)], projects: ["orders"] },
  },
  "POST /api/0/organizations/:organization/releases/": { version: "1", projects: ["orders"] },
  "PUT /api/0/organizations/:organization/releases/:version/": { projects: ["orders"] },
  "POST /api/0/organizations/:organization/releases/:version/deploys/": { environment: "PROD", projects: ["orders"] },
  "PUT /api/organization": {
    settings: {
      retention_days: null,
      events_per_day: null,
      input_bytes_max: null,
      plain_users: false,
      passwords_off: false,
    },
  },
};
