import { execFile } from "node:child_process";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { type IntegrationKindName, incidentSchema, integrationListSchema } from "@whence/protocol";
import { z } from "zod";
import { freePort } from "../../servers/free-port.ts";
import { becomeOwner } from "../../servers/owner-session.ts";
import { bootstrapKey, eventually, runCommand, startServerProcess } from "../../servers/server-process.ts";
import { batchOf, exceptionEvent, sendBatch } from "../telemetry-batch.ts";
import { filesBelow, type Place } from "./search-secrets.ts";
import { vendorNames } from "./vendor-answers.ts";
import { startVendorDouble, type VendorDouble } from "./vendor-double.ts";

const run = promisify(execFile);
const service = "storefront";

/** The secrets of a full run, and everything it left behind. */
export interface RunWithSecrets {
  readonly secrets: Readonly<Record<string, string>>;
  readonly places: readonly Place[];
  /** The hosts that were queried about the incident. */
  readonly asked: readonly string[];
  readonly connected: readonly IntegrationKindName[];
}

/** Contains characters that URLs, JSON, and base64 each encode differently. */
const secret = (prefix = ""): string => `${prefix}+/${randomBytes(15).toString("hex")}=&`;

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2_048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

function enteredFor(double: VendorDouble): Partial<Record<IntegrationKindName, Record<string, string>>> {
  const address = (name: string): string => `${double.url}/${name}`;
  const authority = Buffer.from(double.authority).toString("base64");
  const kubeconfig = JSON.stringify({
    clusters: [{ name: "prod", cluster: { server: address("cluster"), "certificate-authority-data": authority } }],
    users: [{ name: "whence", user: { token: secret() } }],
    contexts: [{ name: "prod", context: { cluster: "prod", user: "whence" } }],
  });
  return {
    "cloud-monitoring": { access_key_id: "AKIAWHENCE", secret_access_key: secret(), region: "us-east-1" },
    uptime: { api_token: secret() },
    network: { api_key: secret(), account_email: "ada@example.com" },
    "metrics-application-key": { api_key: secret(), application_key: secret(), region: "us1" },
    "metrics-user-key": { user_api_key: secret(), region: "US" },
    sandbox: { api_key: secret("dtn_") },
    search: { url: address("search"), api_key: secret() },
    dashboards: { instance_url: address("dashboards"), service_account_token: secret() },
    kubernetes: { kubeconfig },
    logs: { service_key: secret() },
    "incident-management": { api_key: secret() },
    "log-queries": { api_key: secret(), instance_url: address("dataset") },
    "error-tracker": { bearer_token: secret(), organization_slug: "acme" },
    observability: { instance_url: address("observability"), api_key: secret() },
    hosting: { api_token: secret() },
  };
}

const authorizedKinds = ["github", "gitlab", "issue-tracker"] as const;

/** Returns the secrets among the entered values, by kind and name. */
function secretsOf(prefix: string, entered: ReturnType<typeof enteredFor>): Record<string, string> {
  const shown = ["access_key_id", "region", "account_email", "url", "instance_url", "organization_slug"];
  const all = Object.entries(entered).flatMap(([kind, inputs]) =>
    Object.entries(inputs)
      .filter(([name]) => !shown.includes(name))
      .map(([name, value]): [string, string] => {
        const token = /"token":"([^"]+)"/.exec(value)?.[1];
        return [`${prefix} ${kind} ${name}`, token ?? value];
      }),
  );
  return Object.fromEntries(all);
}

/**
 * Runs a real server through everything that involves secrets: vendors that accept, reject, and echo them, an upload,
 * an incident, errors, an export, and a backup.
 */
export async function runWithSecrets(folder: string, environment: Record<string, string>): Promise<RunWithSecrets> {
  const application = { github: secret(), gitlab: secret(), linear: secret() };
  const handedOut = {
    accessToken: secret(),
    refreshToken: secret(),
    personToken: secret(),
    installationToken: secret(),
  };
  const codes = { code: randomBytes(20).toString("hex"), refused: randomBytes(20).toString("hex") };
  const uploaded = `ghp_${randomBytes(18).toString("hex")}`;
  const header = secret();
  const secretKey = randomBytes(32).toString("base64");
  const double = await startVendorDouble(handedOut);
  const [wrong, right] = [enteredFor(double), enteredFor(double)];
  await writeFile(join(folder, "authority.pem"), double.authority);
  const surroundings = {
    WHENCE_ALLOWED_NETWORKS: "127.0.0.0/8",
    WHENCE_LOG_LEVEL: "trace",
    WHENCE_SECRET_KEY: secretKey,
    NODE_EXTRA_CA_CERTS: join(folder, "authority.pem"),
    VENDOR_NAMES: vendorNames.join(),
    VENDOR_PORT: String(double.port),
    WHENCE_GITHUB_APP_CLIENT_ID: "id",
    WHENCE_GITHUB_APP_SLUG: "whence",
    WHENCE_GITHUB_APP_CLIENT_SECRET: application.github,
    WHENCE_GITHUB_APP_PRIVATE_KEY: privateKey,
    WHENCE_GITLAB_CLIENT_ID: "id",
    WHENCE_GITLAB_CLIENT_SECRET: application.gitlab,
    WHENCE_LINEAR_CLIENT_ID: "id",
    WHENCE_LINEAR_CLIENT_SECRET: application.linear,
    ...environment,
  };
  const data = join(folder, "data");
  const [port, preload] = [await freePort(), new URL("../programs/vendors-at-a-double.ts", import.meta.url).href];
  const server = await startServerProcess(data, port, surroundings, ["--import", preload]);
  try {
    const cookie = await becomeOwner(server.url, server.output());
    const answers: Place[] = [];
    const ask = async (method: string, path: string, body?: object): Promise<Response> => {
      const answer = await fetch(server.url + path, {
        method,
        headers: { cookie, "content-type": "application/json" },
        redirect: "manual" as const,
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const copy = Buffer.from(await answer.clone().arrayBuffer());
      const headers = Buffer.from(JSON.stringify([...answer.headers].filter(([name]) => name !== "set-cookie")));
      answers.push([`${method} ${path.split("?")[0]}`, Buffer.concat([copy, headers])]);
      return answer;
    };

    double.behavior = "refuses";
    for (const [kind, inputs] of Object.entries(wrong)) await ask("PUT", `/api/integrations/${kind}`, inputs);
    await authorize(ask, codes.refused);
    double.behavior = "answers";
    for (const [kind, inputs] of Object.entries(right)) await ask("PUT", `/api/integrations/${kind}`, inputs);
    await authorize(ask, codes.code);
    await ask("PUT", "/api/integrations/uptime", { api_token: 5, [secret()]: 1 });

    await upload(join(folder, "checkout"), server.url, uploaded);
    double.behavior = "refuses-some";
    const from = double.asked.length;
    await reportOnFailure(server.url, header);
    const id = await reported(ask);
    for (const path of ["", "/telemetry", "/reports", "/event"]) await ask("GET", `/api/incidents/${id}${path}`);
    const asked = [...new Set(double.asked.slice(from).map(({ host }) => host))];

    double.behavior = "refuses";
    const verified = Object.keys(right).filter((kind) => kind !== "logs");
    await Promise.all(verified.map((kind) => ask("POST", `/api/integrations/${kind}/verify`)));
    await ask("GET", "/api/no-such-route");
    const listed = integrationListSchema.parse(await (await ask("GET", "/api/integrations")).json());
    for (const path of ["/metrics", "/api/sources", "/api/audit", "/api/organization/export", "/api/account/export"])
      await ask("GET", path);
    const backup = join(folder, "whence.ndjson.gz");
    const taken = await runCommand({ ...surroundings, WHENCE_DATA_DIR: data, PORT: String(port) }, [
      ...["backup", "--to", backup],
    ]);
    if (taken.code !== 0) throw new Error(taken.said);
    const whileRunning = await filesBelow(data);
    const left: Place[] = [["the backup", gunzipSync(await readFile(backup))], ...whileRunning];
    await server.end("SIGTERM");
    return {
      secrets: {
        ...application,
        ...handedOut,
        ...codes,
        uploaded,
        header,
        secretKey,
        ...secretsOf("wrong", wrong),
        ...secretsOf("right", right),
        password: "correct horse battery",
        session: cookie.split("=").slice(1).join("="),
        privateKey: privateKey.split("\n")[5] ?? "",
      },
      places: [...answers, ...left, ...(await filesBelow(data)), ["what it printed", Buffer.from(server.output())]],
      asked,
      connected: listed.integrations.flatMap(({ kind, connections }) => connections.map(() => kind)),
    };
  } finally {
    await server.end("SIGTERM");
    await double.close();
  }
}

type Ask = (method: string, path: string, body?: object) => Promise<Response>;

/** Follows the authorization to the vendor and back with a code. */
async function authorize(ask: Ask, code: string): Promise<void> {
  for (const kind of authorizedKinds) {
    const started = await ask("POST", `/api/integrations/${kind}/authorization`, {});
    const { authorize_url: url } = z.object({ authorize_url: z.url() }).parse(await started.json());
    const state = new URL(url).searchParams.get("state") ?? "";
    await ask("GET", `/api/integrations/${kind}/authorization/callback?${new URLSearchParams({ code, state })}`);
  }
}

/** Uploads files, one with a credential in it. */
async function upload(folder: string, url: string, credential: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "render.js"), "export const render = (cart) => cart.order.total;\n");
  await writeFile(join(folder, "token.js"), `export const api_token = "${credential}";\n`);
  const main = join(import.meta.dirname, "../../../sdks/agent/src/main.ts");
  const named = ["sources", "upload", folder, "--service", service, "--release", "2.0.0"];
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const environment = { PATH, NODE_COMPILE_CACHE, WHENCE_URL: url, WHENCE_API_KEY: bootstrapKey };
  await run(process.execPath, ["--conditions=@whence/source", main, ...named], { env: environment });
}

async function reportOnFailure(url: string, header: string): Promise<void> {
  const event = {
    ...exceptionEvent("renderCart", 1),
    request: { method: "GET", path: "/cart", headers: { authorization: `Bearer ${header}`, cookie: `sid=${header}` } },
  };
  if (!(await sendBatch(url, bootstrapKey, batchOf([event], { service, release: "2.0.0" }))))
    throw new Error("the failure was not taken");
}

async function reported(ask: Ask): Promise<string> {
  return eventually("the report", async () => {
    const answer = await ask("GET", `/api/incidents?service=${service}&status=completed`);
    return z.object({ incidents: z.array(incidentSchema) }).parse(await answer.json()).incidents[0]?.id;
  });
}
