import { type CodeChange, type CodeFile, camel, nounOf, pascal, pathOf } from "./code-change.ts";
import type { ServicePlan, Topology } from "./topology.ts";

/** The code of a service that asks others, a file for each. */
export function clientFiles(service: ServicePlan, topology: Topology, change: CodeChange): CodeFile[] {
  return [...service.calls, ...service.parties].map(({ to }) => ({
    path: `src/${clientName(to)}-client.js`,
    text: clientFile(to, service, topology, change),
  }));
}

/** The first word of a name that says whose it is. */
export function clientName(to: string): string {
  const [first = to, second = first] = to.split(".");
  return first === "api" ? second : first;
}

function clientFile(to: string, service: ServicePlan, topology: Topology, { sends }: CodeChange): string {
  const noun = nounOf(to, topology);
  const isParty = topology.parties.some(({ name }) => name === to);
  const callee = topology.services.find(({ name }) => name === to);
  const path = isParty || !callee ? `/${noun}s` : pathOf(callee);
  const quantity = sends === "text-quantity" ? "quantity: `${asked.quantity}`" : "quantity: asked.quantity";
  const body = sends === "no-id" ? `{ key: asked.id, ${quantity} }` : `{ id: asked.id, ${quantity} }`;
  const headers = [
    ...(isParty ? [`authorization: \`Bearer \${config.partyToken}\``] : []),
    ...(service.signs && !isParty ? [`"x-made-at": String(Date.now())`] : []),
    ...(topology.isTraced ? [] : [`traceparent: "00"`]),
  ].join(", ");
  const options = `{ headers: { ${headers} }, timeoutMs: config.timeoutMs, onFailure: "${service.onUpstreamFailure}" }`;
  const call = `await postJson(\`\${config.${camel(to)}Url}${path}\`, ${body}, ${options})`;
  const made =
    sends === "many"
      ? `const answers = await Promise.all(Array.from({ length: 60 }, async () => ${call}));
  return answers[0];`
      : `const answer = ${call};
  return answer;`;
  return `
import { config } from "./config.js";
import { postJson } from "./http-json.js";

/** The ${noun} for what was asked. */
export async function fetch${pascal(noun)}(asked) {
  ${made}
}
`;
}

const upstreamError = `
/** A call that failed. */
class UpstreamError extends Error {
  name = "UpstreamError";
  status = 502;
}
`;

const asked = `  if (status >= 400) throw marked(new UpstreamError(\`\${url} answered \${status}\`), onFailure);
  try {
    return JSON.parse(body);
  } catch (error) {
    throw marked(error, onFailure);
  }
}

function marked(error, onFailure) {
  if (onFailure === "logged") error.isLogged = true;
  if (onFailure === "passed-on") error.isPassedOn = true;
  return error;
}
`;

/** How a system's services make their calls: by `fetch`, or by `node:http`. */
export function httpJson({ usesFetch }: Topology): string {
  return usesFetch ? byFetch : byHttp;
}

const byFetch = `
${upstreamError}
/** Sends a request, and reads the answer. */
export async function postJson(url, sent, { headers, timeoutMs, onFailure }) {
  const { status, body } = await post(url, sent, headers, timeoutMs).catch((error) => {
    throw marked(error, onFailure);
  });
${asked}
async function post(url, sent, headers, timeoutMs) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(sent),
    signal: AbortSignal.timeout(timeoutMs),
  });
  return { status: response.status, body: await response.text() };
}
`;

const byHttp = `
import { request } from "node:http";
import { text } from "node:stream/consumers";
${upstreamError}
/** Sends a request, and reads the answer. */
export async function postJson(url, sent, { headers, timeoutMs, onFailure }) {
  const { status, body } = await post(url, sent, headers, timeoutMs).catch((error) => {
    throw marked(error, onFailure);
  });
${asked}
function post(url, sent, headers, timeoutMs) {
  return new Promise((resolve, reject) => {
    const options = { method: "POST", agent: false, headers: { "content-type": "application/json", ...headers } };
    const call = request(url, options, async (response) => {
      try {
        const body = await text(response);
        clearTimeout(timer);
        resolve({ status: response.statusCode, body });
      } catch (error) {
        reject(error);
      }
    });
    const timer = setTimeout(() => {
      call.destroy(Object.assign(new Error(\`no answer within \${timeoutMs} ms\`), { code: "ETIMEDOUT" }));
    }, timeoutMs);
    call.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    call.end(JSON.stringify(sent));
  });
}
`;
