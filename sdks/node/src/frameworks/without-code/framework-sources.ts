import { jobAdditions } from "./job-sources.ts";
import { queueAdditions } from "./queue-sources.ts";

/** The name of `recordAnsweredFailures`'s hook in the changed sources. */
export const hookName = "@whence/node route failure";
const hook = `globalThis[Symbol.for("${hookName}")]?.`;

/** Code added to the end of a line; the line's own code doesn't move. */
interface Addition {
  /** Matches the end of the line, or the lines that end with it. */
  readonly after: RegExp;
  readonly text: string;
}

const note = (framework: string, error: string, carrier: string): string =>
  `${hook}note("${framework}",${error},${carrier})`;

/** In a router: what each of its layers passes to the next. */
const expressRouter: Addition = {
  after: /^ +(?:var|let|const) layerError = err === 'route'\s+\? null\s+: err;?$/m,
  text: `;layerError&&${note("express", "layerError", "req")}`,
};
/** In a route, whose own error handlers no router sees. */
const expressLayer: Addition = {
  after: /^Layer\.prototype\.handle_?[eE]rror = function \w+ ?\(error, req, res, next\) \{$/m,
  text: note("express", "error", "req"),
};
const honoHandlers: Addition = { after: /^\s*#?handleError\(err, c\) \{$/m, text: note("hono", "err", "c") };
const honoCompose: Addition = { after: /^\s*\} catch \(err\) \{$/m, text: note("hono", "err", "context") };

const apollo: Addition = {
  after: /^ +async function didEncounterErrors\(errors\) \{$/m,
  text: `${hook}failed("apollo",errors);`,
};
const trpc: Addition = {
  after: /^\t+const error = (?:\w+\.)?getTRPCErrorFromUnknown\((?:cause|errorOpts\.error)\);$/gm,
  text: `${hook}failed("trpc",error);`,
};

/**
 * The places where frameworks learn of a route's error, by the file's path in `node_modules`. Diagnostics channels
 * would be better, but the frameworks that have one run their handlers inside a call of the channel, which would show
 * in the program's stack traces.
 */
const additions: Readonly<Record<string, readonly Addition[]>> = {
  "express/lib/router/index.js": [expressRouter],
  "express/lib/router/layer.js": [expressLayer],
  "router/index.js": [expressRouter],
  "router/lib/layer.js": [expressLayer],
  "fastify/lib/error-handler.js": [
    { after: /^function handleError ?\(reply, error, cb\) \{$/m, text: note("fastify", "error", "reply") },
  ],
  "@nestjs/core/exceptions/exceptions-handler.js": [
    { after: /^ +next\(exception, ctx\) \{$/m, text: note("nestjs", "exception", "ctx") },
  ],
  "koa-compose/index.js": [
    {
      // A middleware awaits the promise of the next one, with one more reaction in between.
      after: /^\s*return Promise\.resolve\(fn\(context, dispatch\.bind\(null, i \+ 1\)\)\)(?=;?$)/m,
      text: `.then(undefined,${hook}rejected("koa",context))`,
    },
    { after: /^\s*\} catch \(err\) \{$/m, text: note("koa", "err", "context") },
  ],
  "@apollo/server/dist/cjs/requestPipeline.js": [apollo],
  "@apollo/server/dist/esm/requestPipeline.js": [apollo],
  "@trpc/server/dist/resolveResponse.cjs": [trpc],
  "@trpc/server/dist/resolveResponse.mjs": [trpc],
  "hono/dist/cjs/hono-base.js": [honoHandlers],
  "hono/dist/cjs/compose.js": [honoCompose],
  "hono/dist/hono-base.js": [honoHandlers],
  "hono/dist/compose.js": [honoCompose],
  ...queueAdditions,
  ...jobAdditions,
};

/** The number of files in {@link additions} that are ES modules, by the package that may consist of them. */
export const esModuleCounts: Readonly<Record<string, number>> = {
  hono: 2,
  "@nestjs/core": 1,
  "@apollo/server": 1,
  "@trpc/server": 1,
};

const folder = "node_modules/";
/** Matches what a build adds to a file's name. */
const buildHash = /^(@trpc\/server\/dist\/resolveResponse)-[\w-]+/;

/** Returns the key of a path or URL among the files to change; undefined for any other file. */
export function sourceKey(path: string): string | undefined {
  const name = path.replaceAll("\\", "/");
  const start = name.lastIndexOf(folder);
  const key = start === -1 ? "" : name.slice(start + folder.length).replace(buildHash, "$1");
  return Object.hasOwn(additions, key) ? key : undefined;
}

/** Returns a file's source with calls of the hooks. Throws when its package has changed too much for that. */
export function withHook(key: string, source: string): string {
  let changed = source;
  for (const { after, text } of additions[key] ?? []) {
    if (changed.search(after) === -1) throw new Error(`no place for a hook in ${key}`);
    changed = changed.replace(after, (found) => found + text);
  }
  return changed;
}
