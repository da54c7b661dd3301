import { readFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { compileFunction } from "node:vm";

const packageNames: readonly string[] = ["@whence/node", "@whence/node/http"];
const place = Symbol.for("the clients of simulated processes");
const scheme = "simulated-client:";

/** The folder of a process, by its number: what is imported from there gets a client of its own. */
export function processFolder(host: string, number: number): string {
  return `${host}--${number}`;
}

const inProcessFolder = /\/([^/]+--\d+)\//;

/** Gives each process its own instance of the compiled client, whose code is compiled once for all of them. */
export function serveClientCopies(file: string): void {
  const require = createRequire(file);
  const instantiate = compileFunction(readFileSync(file, "utf8"), ["exports", "require", "module"], { filename: file });
  Reflect.set(globalThis, place, (): object => {
    const module: { exports: object } = { exports: {} };
    instantiate(module.exports, require, module);
    return module.exports;
  });
  registerHooks({
    resolve(specifier, context, next) {
      const [, owner] = inProcessFolder.exec(context.parentURL ?? "") ?? [];
      if (owner === undefined || !packageNames.includes(specifier)) return next(specifier, context);
      return { url: scheme + owner, format: "module", shortCircuit: true };
    },
    load(url, context, next) {
      if (!url.startsWith(scheme)) return next(url, context);
      return { format: "module", source: clientModule, shortCircuit: true };
    },
  });
}

const clientModule = `const client = globalThis[Symbol.for("${place.description}")]();
export const { captureException, close, init, whenceListener } = client;
`;
