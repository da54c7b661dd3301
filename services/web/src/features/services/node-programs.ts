import type { Program, SnippetValues } from "./program.ts";

const node = {
  ending: "js",
  install: ({ endpoint }: SnippetValues) => `npm install ${endpoint}/sdk/node.tgz`,
  start: "node app.js",
} as const;

const init = ({ service, endpoint }: SnippetValues): string =>
  [
    "init({",
    "  apiKey: process.env.WHENCE_API_KEY,",
    `  service: ${JSON.stringify(service)},`,
    `  endpoint: ${JSON.stringify(endpoint)},`,
    "  redact: credentialHeaders,",
    "});",
  ].join("\n");

/** The programs that `@whence/node` is for. */
export const nodePrograms = {
  node: {
    ...node,
    name: "Any Node.js program",
    start: "node --import @whence/node/register app.js",
    code: null,
  },
  express: {
    ...node,
    name: "Express",
    code: (values: SnippetValues) => `import { credentialHeaders, init } from "@whence/node";
import { whenceErrors, whenceRequests } from "@whence/node/express";
import express from "express";

${init(values)}

const app = express();
app.use(whenceRequests()); // before the routes
// …
app.use(whenceErrors()); // after the routes, before other error handlers`,
  },
  fastify: {
    ...node,
    name: "Fastify",
    code: (values: SnippetValues) => `import { credentialHeaders, init } from "@whence/node";
import { whenceFastify } from "@whence/node/fastify";
import Fastify from "fastify";

${init(values)}

const app = Fastify();
await app.register(whenceFastify); // before the routes`,
  },
} as const satisfies Readonly<Record<string, Program>>;
