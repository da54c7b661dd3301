import { isNodeKind, type NodeKind, type ProgramKind, type SnippetValues } from "./program-kinds.ts";
import { pythonCode, pythonStart } from "./python-snippets.ts";

/** Returns the command that installs the client, which the same service provides. */
export function installCommand(kind: ProgramKind, { endpoint }: SnippetValues): string {
  if (isNodeKind(kind)) return `npm install ${endpoint}/sdk/node.tgz`;
  const { protocol, hostname } = new URL(endpoint);
  const install = `pip install --index-url ${endpoint}/sdk/simple whence`;
  // pip asks for it, except on this machine.
  const isTrusted = protocol === "https:" || /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
  return isTrusted ? install : `${install} --trusted-host ${hostname}`;
}

/** Returns the command that starts the program: the key comes from the environment, never from the code. */
export function startCommand(kind: ProgramKind, values: SnippetValues): string {
  const { key, service, endpoint } = values;
  if (kind !== "node" && kind !== "python") {
    return `WHENCE_API_KEY=${key} ${isNodeKind(kind) ? "node app.js" : pythonStart[kind]}`;
  }
  return [
    `WHENCE_API_KEY=${key} \\`,
    `WHENCE_SERVICE=${shellWord(service)} \\`,
    `WHENCE_ENDPOINT=${endpoint} \\`,
    kind === "node" ? "node --import @whence/node/register app.js" : pythonStart.python,
  ].join("\n");
}

/** Returns the code to add to the program; null where none is needed. */
export function programCode(kind: ProgramKind, values: SnippetValues): string | null {
  return isNodeKind(kind) ? nodeCode(kind, values) : pythonCode(kind, values);
}

function nodeCode(kind: NodeKind, { service, endpoint }: SnippetValues): string | null {
  const init = [
    "init({",
    "  apiKey: process.env.WHENCE_API_KEY,",
    `  service: ${JSON.stringify(service)},`,
    `  endpoint: ${JSON.stringify(endpoint)},`,
    "  redact: credentialHeaders,",
    "});",
  ].join("\n");
  if (kind === "express") {
    return `import { credentialHeaders, init } from "@whence/node";
import { whenceErrors, whenceRequests } from "@whence/node/express";
import express from "express";

${init}

const app = express();
app.use(whenceRequests()); // before the routes
// …
app.use(whenceErrors()); // after the routes, before other error handlers`;
  }
  if (kind === "fastify") {
    return `import { credentialHeaders, init } from "@whence/node";
import { whenceFastify } from "@whence/node/fastify";
import Fastify from "fastify";

${init}

const app = Fastify();
await app.register(whenceFastify); // before the routes`;
  }
  return null;
}

function shellWord(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
