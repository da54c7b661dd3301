import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseStacks, type StackFrame } from "../corpora/stack.ts";
import type { Environment } from "./environment.ts";
import { isRuntimeCode, packageFiles } from "./package-files.ts";
import { literally } from "./pattern.ts";
import { asServiceLog } from "./service-log.ts";
import type { TestResult, Thrown } from "./test-run.ts";
import type { Pair } from "./versions.ts";

/** A test that failed with an error that a service could have met. */
export interface Crash {
  readonly test: string;
  readonly message: string;
  readonly log: string;
  readonly frames: readonly StackFrame[];
}

/** Errors of the surroundings or of a package that has not what the test loads. */
const notOfTheCode =
  /Cannot find (module|package)|does not provide an export|is not defined by "exports"|EADDRINUSE|EACCES|EPERM|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|ETIMEDOUT|MODULE_NOT_FOUND|ERR_REQUIRE_ESM/;
/** A message that says what the older version does not offer. */
const notOffered =
  /\b(unknown|unsupported|not supported|unrecognized|not implemented|no such (filter|function|method))\b/i;
/** Packages that check or replace things in tests. */
const checkers =
  /^node_modules\/(chai|should|expect|expect\.js|sinon|nock|assert|assert-plus|must|unexpected|referee|proxyquire|power-assert|jest-\w+|@jest\/|@sinonjs|better-assert|mockery|rewire)/;
/** Longer messages quote what was given. */
const messageUnitsMax = 160;

/** What a test threw, when it says something about the package; undefined otherwise. */
export function crashOf(environment: Environment, result: TestResult): Crash | undefined {
  const { crash, name } = result;
  if (crash === undefined || notOfTheCode.test(crash.text)) return undefined;
  const log = asServiceLog(crash.text, environment);
  const [frames = []] = parseStacks(log, "javascript");
  const top = frames.find(({ file }) => file !== undefined);
  if (top?.file === undefined || checkers.test(top.file)) return undefined;
  if (missesFeature(environment, crash.message)) return undefined;
  const inTest = !top.file.startsWith("node_modules/");
  if (inTest && complainsItself(environment, top, crash)) return undefined;
  return { test: name, message: crash.message.split("\n")[0] ?? "", log, frames };
}

/** Whether the test threw on purpose, or used what the older version does not offer yet. */
function complainsItself(
  { installed, pair }: Environment,
  { file = "", line }: StackFrame,
  { message }: Thrown,
): boolean {
  const text = readFileSync(join(installed, file), "utf8").split("\n")[line - 1] ?? "";
  if (/\bthrow\b|new \w*Error\b|assert|\bfail\(/.test(text)) return true;
  if (/is not (a function|a constructor|defined|iterable)|Class extends value/.test(message)) return true;
  const read = /\((?:reading|setting) '(.+)'\)/.exec(message)?.[1];
  if (read === undefined) return false;
  // A function that is looked up by its name.
  if (/^(apply|call|bind)$/.test(read)) return true;
  const base = new RegExp(`([\\w$]+)(?:\\(.*\\))?\\s*(?:\\.\\s*|\\[["'])${literally(read)}`).exec(text)?.[1];
  return base !== undefined && isNewWord(pair, base);
}

/** What messages say whatever they are about. */
const plainWords = new Set(
  `argument array before boolean buffer call cannot class constructor convert could defined does error exceeded expected
  failed from function given have illegal initialization input instance invalid iterable length maximum missing must
  null number object only option passed properties property range read reading received required setting should size
  stack string supported that this token type undefined unexpected unknown valid value when with without`.split(/\s+/),
);

/** Whether the message names something that only the newer version knows. */
function missesFeature({ pair }: Environment, message: string): boolean {
  if (notOffered.test(message)) return true;
  const words = (message.split("\n")[0] ?? "").slice(0, messageUnitsMax).match(/[A-Za-z_$][\w$]{3,}/g) ?? [];
  return words.some((word) => !plainWords.has(word.toLowerCase()) && isNewWord(pair, word));
}

const isNewWord = ({ olderFolder, newerFolder }: Pair, word: string): boolean =>
  !wordsOf(olderFolder).has(word) && wordsOf(newerFolder).has(word);

const words = new Map<string, ReadonlySet<string>>();
const versionsKept = 40;

/** Every word in a version's code. */
function wordsOf(folder: string): ReadonlySet<string> {
  const known = words.get(folder);
  if (known !== undefined) return known;
  const files = packageFiles(folder).filter(isRuntimeCode);
  const found = new Set(files.flatMap((file) => readFileSync(join(folder, file), "utf8").match(/[\w$]+/g) ?? []));
  if (words.size >= versionsKept) words.clear();
  words.set(folder, found);
  return found;
}
