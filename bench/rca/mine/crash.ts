import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "./environment.ts";
import { isRuntimeCode, isTestPath, packageFiles } from "./package-files.ts";
import { literally } from "./pattern.ts";
import { asServiceLog, type Frame, framesOf } from "./stack.ts";
import type { TestResult, Thrown } from "./test-run.ts";

/** A test that failed with an error that a service could have met. */
export interface Crash {
  readonly test: string;
  readonly message: string;
  readonly log: string;
  readonly frames: readonly Frame[];
}

/** Errors of the surroundings or of a package that has not what the test loads. */
const notOfTheCode =
  /Cannot find (module|package)|does not provide an export|is not defined by "exports"|EADDRINUSE|EACCES|EPERM|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|ETIMEDOUT|MODULE_NOT_FOUND|ERR_REQUIRE_ESM/;
/** Packages that check or replace things in tests. */
const checkers =
  /^node_modules\/(chai|should|expect|expect\.js|sinon|nock|assert|assert-plus|must|unexpected|referee|proxyquire|power-assert|jest-\w+|@jest\/|@sinonjs|better-assert|mockery|rewire)/;
const framesMin = 1;

/** What a test threw, when it says something about the package; undefined otherwise. */
export function crashOf(environment: Environment, result: TestResult): Crash | undefined {
  const { crash, name } = result;
  if (crash === undefined || notOfTheCode.test(crash.text)) return undefined;
  const log = asServiceLog(crash.text, environment);
  const frames = framesOf(log);
  const top = frames.find(({ file }) => file !== undefined);
  if (top?.file === undefined || frames.length < framesMin || checkers.test(top.file)) return undefined;
  const inTest = !top.file.startsWith("node_modules/");
  if (inTest && complainsItself(environment, top, crash)) return undefined;
  return { test: name, message: crash.message.split("\n")[0] ?? "", log, frames };
}

/** Whether the test threw on purpose, or used what the older version does not offer yet. */
function complainsItself({ installed, pair }: Environment, { file = "", line }: Frame, { message }: Thrown): boolean {
  const text = readFileSync(join(installed, file), "utf8").split("\n")[line - 1] ?? "";
  if (/\bthrow\b|new \w*Error\b|assert|\bfail\(/.test(text)) return true;
  if (/is not (a function|a constructor|defined|iterable)|Class extends value/.test(message)) return true;
  const read = /\((?:reading|setting) '(.+)'\)/.exec(message)?.[1];
  if (read === undefined) return false;
  const base = new RegExp(`([\\w$]+)(?:\\(.*\\))?\\s*(?:\\.\\s*|\\[["'])${literally(read)}`).exec(text)?.[1];
  return base !== undefined && !knows(pair.olderFolder, base) && knows(pair.newerFolder, base);
}

function knows(folder: string, word: string): boolean {
  const pattern = new RegExp(`\\b${literally(word)}\\b`);
  const code = packageFiles(folder).filter((file) => isRuntimeCode(file) && !isTestPath(file));
  return code.some((file) => pattern.test(readFileSync(join(folder, file), "utf8")));
}
