import type { IncomingHttpHeaders } from "node:http";

/** The documented host names of the vendors. */
export const vendorNames: readonly string[] = [
  ...["uptime.betterstack.com", "api.cloudflare.com", "api.datadoghq.com", "api.newrelic.com", "app.daytona.io"],
  ...["logs.us-east-1.amazonaws.com", "monitoring.us-east-1.amazonaws.com", "api.linear.app", "api.mezmo.com"],
  ...["api.pagerduty.com", "api.eu.pagerduty.com", "sentry.io", "api.vercel.com", "github.com", "api.github.com"],
  "gitlab.com",
];

export interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body?: unknown;
}

const cluster = { kind: "List", apiVersion: "v1", metadata: { resourceVersion: "1" }, items: [] };

/** Each vendor's answer to an authorized request: small, but in its documented form. */
const answers: Readonly<Record<string, unknown>> = {
  "uptime.betterstack.com": { data: [] },
  "api.cloudflare.com": { result: [{ id: "z1", name: "acme.example", account: { id: "a1", name: "Acme" } }] },
  "api.datadoghq.com": { data: [] },
  "api.newrelic.com": { data: { actor: { accounts: [{ id: 1, name: "Acme" }] } } },
  "app.daytona.io": { name: "ci", items: [], nextCursor: null },
  "api.linear.app": {
    data: { organization: { name: "Acme" }, issues: { nodes: [], pageInfo: { hasNextPage: false } } },
  },
  "api.mezmo.com": { lines: [] },
  "sentry.io": { name: "Acme", slug: "acme" },
  "api.vercel.com": { user: { username: "ada" }, teams: [], deployments: [], pagination: { next: null } },
  "gitlab.com": { username: "ada" },
  search: { username: "ci", hits: { hits: [] }, cluster_name: "acme" },
  dataset: { status: "success", matches: [] },
  observability: { data: { data: { results: [] } } },
};

export function vendorAnswers(
  host: string,
  path: string,
  headers: IncomingHttpHeaders,
  handedOut: Readonly<Record<string, string>>,
): Answer {
  if (path.includes("/oauth/")) return { body: { ...tokensFor(host, handedOut), token_type: "bearer" } };
  if (host === "api.github.com") return gitHub(path, handedOut);
  if (host === "api.pagerduty.com") return { body: pagerDuty(headers) };
  if (host.endsWith("amazonaws.com")) return { type: "application/x-amz-json-1.1", body: { logGroups: [] } };
  if (host === "dashboards") return { body: path === "/api/org" ? { name: "Acme" } : [] };
  if (host === "cluster") return { body: cluster };
  return Object.hasOwn(answers, host) ? { body: answers[host] } : { status: 404, body: {} };
}

function tokensFor(host: string, { accessToken, refreshToken, personToken }: Readonly<Record<string, string>>) {
  if (host === "github.com") return { access_token: personToken, scope: "" };
  return { access_token: accessToken, refresh_token: refreshToken, expires_in: 86_400, scope: "read" };
}

function gitHub(path: string, { installationToken }: Readonly<Record<string, string>>): Answer {
  if (path === "/user/installations") return { body: { installations: [{ id: 7, account: { login: "acme" } }] } };
  if (path.endsWith("/access_tokens"))
    return { status: 201, body: { token: installationToken, expires_at: "2099-01-01T00:00:00Z", permissions: {} } };
  if (path === "/installation/repositories") return { body: { total_count: 0, repositories: [] } };
  return path.startsWith("/applications/") ? { status: 204 } : { status: 404, body: {} };
}

/** Returns an incident whose title contains the key of the request, as a careless program might write it. */
function pagerDuty({ authorization = "" }: IncomingHttpHeaders): object {
  const at = new Date().toISOString();
  const person = { id: "U1", summary: "Ada", html_url: "https://acme.pagerduty.com/users/U1" };
  const policy = { id: "E1", summary: "storefront", html_url: "https://acme.pagerduty.com/escalation_policies/E1" };
  const page = "https://acme.pagerduty.com/services/S1";
  const service = { id: "S1", summary: "storefront", html_url: page, escalation_policy: policy };
  const onCall = { user: { ...person, email: "ada@example.com" }, escalation_policy: policy, escalation_level: 1 };
  const title = `storefront can't page anyone with ${authorization}`;
  const incident = { id: "I1", title, status: "triggered", created_at: at, service, html_url: person.html_url };
  return {
    users: [person],
    services: [service],
    incidents: [incident],
    change_events: [],
    oncalls: [onCall],
    more: false,
  };
}
