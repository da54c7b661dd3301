/** The kinds of programs that the first-run page has instructions for. */
export const programKinds = ["node", "express", "fastify"] as const;
export type ProgramKind = (typeof programKinds)[number];

export const programNames: Readonly<Record<ProgramKind, string>> = {
  node: "Any Node.js program",
  express: "Express",
  fastify: "Fastify",
};

export interface SnippetValues {
  readonly key: string;
  readonly service: string;
  /** The URL of the service that shows the page. */
  readonly endpoint: string;
}

/** Returns the command that installs the client, which the same service provides. */
export function installCommand({ endpoint }: SnippetValues): string {
  return `npm install ${endpoint}/sdk/node.tgz`;
}

/** Returns the command that starts the program: the key comes from the environment, never from the code. */
export function startCommand(kind: ProgramKind, { key, service, endpoint }: SnippetValues): string {
  if (kind !== "node") return `WHENCE_API_KEY=${key} node app.js`;
  return [
    `WHENCE_API_KEY=${key} \\`,
    `WHENCE_SERVICE=${shellWord(service)} \\`,
    `WHENCE_ENDPOINT=${endpoint} \\`,
    "node --import @whence/node/register app.js",
  ].join("\n");
}

/** Returns the code to add to the program; null where none is needed. */
export function programCode(kind: ProgramKind, { service, endpoint }: SnippetValues): string | null {
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
