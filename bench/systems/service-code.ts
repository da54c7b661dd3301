import { type CodeChange, type CodeFile, camel, nounOf, pascal, pathOf, urlVariable } from "./code-change.ts";
import { clientFiles, clientName, httpJson } from "./service-clients.ts";
import type { FieldName, ServicePlan, Topology } from "./topology.ts";
import { renamedFields } from "./vocabulary.ts";

/** The program of a service. */
export function codeOf(service: ServicePlan, topology: Topology, change: CodeChange = {}): CodeFile[] {
  const files = [
    { path: "src/main.js", text: mainFile(service, change) },
    { path: "src/config.js", text: configFile(service, change) },
    { path: "src/routes.js", text: routesFile(service, change) },
    { path: `src/${service.noun}.js`, text: domainFile(service, topology, change) },
    { path: "src/http-json.js", text: httpJson(topology) },
    ...clientFiles(service, topology, change),
    ...(service.database ? databaseFiles(change) : []),
    ...(service.hasJournal ? [{ path: "src/journal.js", text: journalFile }] : []),
  ];
  return files.map(({ path, text }) => ({ path, text: `${text.trim()}\n` }));
}

function mainFile({ name, reports }: ServicePlan, { startsWith, comment }: CodeChange): string {
  const first = startsWith === "missing-module" ? `import { tune } from "./tuning.js";\n\ntune();\n` : "";
  const check =
    startsWith === "throw" ? `\nif (config.mode.kind !== "plain") throw new Error("unknown mode of operation");\n` : "";
  const client = reports
    ? `import { captureException, close, init } from "@whence/node";
import { whenceListener } from "@whence/node/http";`
    : "const captureException = () => undefined;\nconst close = async () => undefined;\nconst whenceListener = (listener) => listener;";
  const started = reports
    ? `init({ apiKey: process.env.WHENCE_API_KEY, endpoint: process.env.WHENCE_ENDPOINT, service: "${name}", release: process.env.WHENCE_RELEASE, spool: false });`
    : "";
  return `
${comment === undefined ? "" : `// ${comment}`}
${first}import { createServer } from "node:http";
${client}
import { config } from "./config.js";
import { answer, send } from "./routes.js";

${started}
${check}
const server = createServer(
  whenceListener((request, response) => {
    answer(request, response).catch((error) => {
      if (error.isLogged) console.error(error);
      else if (!error.isPassedOn) captureException(error);
      send(response, error.status ?? 500, { error: error.message });
    });
  }),
);
server.answersAs = "${name}";
server.maxRequestsPerSocket = 1;
server.listen(config.port, "127.0.0.1");

process.once("SIGTERM", async () => {
  server.close();
  await close();
  process.exit(0);
});
`;
}

function configFile(service: ServicePlan, { startsWith }: CodeChange): string {
  const urls = [...service.calls, ...service.parties].map(
    ({ to }) => `  ${camel(to)}Url: process.env.${urlVariable(to)},`,
  );
  return `
/** What the process was started with. */
export const config = {
  port: Number(process.env.PORT ?? 0),
${urls.join("\n")}
  partyToken: process.env.PARTY_TOKEN,
  signingKey: process.env.SIGNING_KEY,
  timeoutMs: Number(process.env.UPSTREAM_TIMEOUT_MS ?? ${service.timeoutMs}),
  poolSize: Number(process.env.POOL_SIZE ?? ${service.poolSize}),
  databaseHost: process.env.DATABASE_HOST ?? "${service.database?.host ?? ""}",
  databasePort: ${service.database?.port ?? 0},
  databasePassword: process.env.DATABASE_PASSWORD,
  journalFile: process.env.JOURNAL_FILE,
${startsWith === "throw" ? `  mode: { kind: process.env.MODE ?? "mixed" },\n` : ""}};
`;
}

function routesFile(service: ServicePlan, change: CodeChange): string {
  const { noun } = service;
  const make = `make${pascal(noun)}`;
  return `
import { text } from "node:stream/consumers";
import { ${make} } from "./${noun}.js";

/** A request that can't be served as it is. */
class RejectedError extends Error {
  name = "RejectedError";
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

const clockToleranceMs = 30_000;

export async function answer(request, response) {
  if (request.url !== "${pathOf(service, change)}") {
    send(response, 404, { error: "no such route" });
    return;
  }
  checkTime(request.headers["x-made-at"]);
  const asked = JSON.parse(await text(request));
  checkAsked(asked);
  send(response, 200, await ${make}(asked));
}

/** Requests that are too old, or of the future, may be forged. */
function checkTime(madeAt) {
  if (madeAt === undefined) return;
  const aheadMs = Number(madeAt) - Date.now();
  if (Math.abs(aheadMs) > clockToleranceMs)
    throw new RejectedError(\`the request was made \${Math.round(aheadMs / 1000)} s from now\`, 401);
}

function checkAsked({ id, quantity }) {
  if (id === undefined) throw new RejectedError("id is missing", 400);
  if (typeof quantity !== "number") throw new RejectedError(\`quantity must be a number, got \${typeof quantity}\`, 422);
}

export function send(response, status, body) {
  if (response.headersSent) return;
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
`;
}

/** What makes the answer: reads the row, asks the others, and puts it together. */
function domainFile(service: ServicePlan, topology: Topology, change: CodeChange): string {
  const { noun, calls, parties, database, hasJournal, fields } = service;
  const asked = [...calls, ...parties].map(({ to, field }) => ({ name: camel(nounOf(to, topology)), to, field }));
  const imports = [
    ...(database ? [`import { findRow } from "./database.js";`] : []),
    ...(hasJournal ? [`import { note } from "./journal.js";`] : []),
    ...asked.map(({ to }) => `import { fetch${pascal(nounOf(to, topology))} } from "./${clientName(to)}-client.js";`),
    ...(change.hashesMs === undefined ? [] : [`import { pbkdf2Sync } from "node:crypto";`]),
  ];
  const steps = [
    database ? `const row = await findRow("${noun}", asked.id);` : `const row = ordinaryRow;`,
    ...asked.map(({ name, to }) => `const ${name} = await fetch${pascal(nounOf(to, topology))}(asked);`),
    ...(hasJournal ? [`note(\`${noun} \${asked.id}\`);`] : []),
    ...(change.hashesMs === undefined
      ? []
      : [`const seal = pbkdf2Sync(asked.id, "${noun}", ${change.hashesMs * 1_000}, 32, "sha256");`]),
    ...(change.leaks === "memory"
      ? [`kept.push(Array.from({ length: 4_000 }, (_, index) => index + row.factor));`]
      : []),
    ...mistakeSteps(change, noun),
  ];
  const shown = ["row", "asked", ...asked.map(({ name }) => name)];
  const sum = asked.map(({ name, field }) => ` + ${name}.${field}.value`).join("");
  const checks = asked.map(
    ({ name, field }) =>
      `  if (typeof ${name}.${field}.value !== "number") throw new TypeError(\`${field} of ${name} is \${${name}.${field}.value}, which isn't a number\`);`,
  );
  return `
${imports.join("\n")}

${database ? "" : "const ordinaryRow = { factor: 2, size: { value: 3 }, parts: [1, 2, 3] };\n"}${change.leaks === "memory" ? "const kept = [];\n" : ""}
export async function make${pascal(noun)}(asked) {
  ${steps.join("\n  ")}
  return describe${pascal(noun)}(${shown.join(", ")});
}

function describe${pascal(noun)}(${shown.join(", ")}) {
${checks.join("\n")}
  const base = row.size.value * row.factor * asked.quantity${sum};
  return {
    id: asked.id,
${fields.map((field, index) => fieldLine(field, index, change)).join("\n")}
  };
}
`;
}

function fieldLine(field: FieldName, index: number, { field: changed }: CodeChange): string {
  const unit = ["eur", "minutes", "units"][index % 3];
  if (changed?.name !== field) return `    ${field}: { value: base + ${index}, unit: "${unit}" },`;
  if (changed.how === "removed") return "";
  if (changed.how === "text") return `    ${field}: { value: \`\${base + ${index}}\`, unit: "${unit}" },`;
  return `    ${renamedFields[field]}: { value: base + ${index}, unit: "${unit}" },`;
}

function mistakeSteps({ mistake }: CodeChange, noun: string): string[] {
  switch (mistake) {
    case "reads-missing-member":
      return [`row.factor += row.adjustment.value - row.adjustment.value;`];
    case "rejects-valid":
      return [
        `if (row.factor > 1) throw new RangeError(\`factor of ${noun} is \${row.factor}, at most 1 is allowed\`);`,
      ];
    case "rare-input":
      return [`if (asked.quantity > 3) row.factor += row.bulk.factor;`];
    case "index-beyond":
      return [`row.factor += row.parts[row.parts.length].length;`];
    case "endless":
      return [
        `const depth = (part) => (part === undefined ? 0 : 1 + depth(part));\n  row.factor += depth(row.parts[0]);`,
      ];
    default:
      return [];
  }
}

function databaseFiles({ leaks }: CodeChange): CodeFile[] {
  const release =
    leaks === "connections"
      ? `  const row = await pool.use(slot, kind, id);
  if (row.factor > 1) return row;
  pool.release(slot);
  return row;`
      : `  try {
    return await pool.use(slot, kind, id);
  } finally {
    pool.release(slot);
  }`;
  return [
    {
      path: "src/database.js",
      text: `
import { config } from "./config.js";
import { ConnectionPool } from "./connection-pool.js";

const pool = new ConnectionPool(config);

/** The row of an id. */
export async function findRow(kind, id) {
  const slot = await pool.acquire();
${release}
}
`,
    },
    { path: "src/connection-pool.js", text: poolFile },
  ];
}

const poolFile = `
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

const acquireTimeoutMs = 2_000;
const roundTripMs = 4;

/** No connection became free in time. */
class PoolTimeoutError extends Error {
  name = "PoolTimeoutError";
}

/** The database said no. */
class DatabaseError extends Error {
  name = "DatabaseError";
}

/** Lends a number of connections. */
export class ConnectionPool {
  constructor({ poolSize, databaseHost, databasePort, databasePassword, timeoutMs }) {
    this.target = { host: databaseHost, port: databasePort };
    this.password = databasePassword;
    this.timeoutMs = timeoutMs;
    this.size = poolSize;
    this.used = 0;
    this.waiting = [];
  }

  acquire() {
    if (this.used < this.size) {
      this.used += 1;
      return {};
    }
    return new Promise((resolve, reject) => {
      const waiter = { resolve };
      waiter.timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(waiter), 1);
        reject(new PoolTimeoutError(\`timed out after \${acquireTimeoutMs} ms waiting for a connection: \${this.used} of \${this.size} in use\`));
      }, acquireTimeoutMs);
      this.waiting.push(waiter);
    });
  }

  release(slot) {
    const next = this.waiting.shift();
    if (!next) {
      this.used -= 1;
      return;
    }
    clearTimeout(next.timer);
    next.resolve(slot);
  }

  async use(slot, kind, id) {
    await delay(roundTripMs);
    const answer = JSON.parse(await this.ask(\`\${this.password} \${kind} \${id}\\n\`));
    if (answer.error !== undefined) throw Object.assign(new DatabaseError(answer.error), { code: answer.code });
    return answer;
  }

  ask(line) {
    return new Promise((resolve, reject) => {
      const socket = connect(this.target);
      const timer = setTimeout(() => {
        socket.destroy();
        reject(Object.assign(new DatabaseError(\`query timed out after \${this.timeoutMs} ms\`), { code: "ETIMEDOUT" }));
      }, this.timeoutMs);
      let text = "";
      socket.setEncoding("utf8");
      socket.on("data", (part) => {
        text += part;
      });
      socket.on("end", () => {
        clearTimeout(timer);
        if (text === "") reject(new DatabaseError("the connection was closed before the answer"));
        else resolve(text);
      });
      socket.on("error", (error) => {
        clearTimeout(timer);
        reject(error);
      });
      socket.write(line);
    });
  }
}
`;

const journalFile = `
import { appendFileSync } from "node:fs";
import { config } from "./config.js";

/** Writes a line to the journal. */
export function note(line) {
  appendFileSync(config.journalFile, \`\${line}\\n\`);
}
`;
