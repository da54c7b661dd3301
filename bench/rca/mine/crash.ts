import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseStacks, type StackFrame } from "../corpora/stack.ts";
import type { Environment, Pair, TestResult } from "./ecosystem.ts";
import { packageFiles } from "./package-files.ts";

/** A failed test with an error that a service could have had. */
export interface Crash {
  readonly test: string;
  readonly message: string;
  readonly log: string;
  readonly frames: readonly StackFrame[];
}

/** Matches messages about something that the older version lacks. */
const notOffered =
  /\b(unknown|unsupported|not supported|unrecognized|not implemented|no such (filter|function|method))\b/i;
/** Longer messages quote their input. */
const messageUnitsMax = 160;

/** Returns the error that a test threw if it is about the package; undefined otherwise. */
export function crashOf(environment: Environment, { name, crash }: TestResult): Crash | undefined {
  const { ecosystem } = environment.pair;
  const { rules } = ecosystem;
  if (crash === undefined || rules.notOfTheCode.test(crash.text)) return undefined;
  const log = ecosystem.asServiceLog(crash.text, environment);
  const [frames = []] = parseStacks(log, ecosystem.language);
  const top = frames.find(({ file }) => file !== undefined);
  if (top?.file === undefined || rules.checkers.test(top.file)) return undefined;
  if (missesFeature(environment.pair, crash.message)) return undefined;
  if (!isInstalled(top.file)) {
    const place = environment.placeOf(top.file);
    const line = existsSync(place) ? (readFileSync(place, "utf8").split("\n")[top.line - 1] ?? "") : "";
    if (rules.complains(line, crash.message, (word) => isNewWord(environment.pair, word))) return undefined;
  }
  return { test: name, message: firstLine(crash.message), log, frames };
}

/** Whether a file, relative to `/app`, belongs to a package rather than the application. */
export const isInstalled = (file: string): boolean => /(^|\/)(node_modules|site-packages)\//.test(file);

/** Returns the line of a message that says what happened. */
export const firstLine = (message: string): string => message.split("\n")[0] ?? "";

/** Words that occur in messages about anything. */
const plainWords = new Set(
  `argument array before boolean buffer bytes call cannot class constructor convert could defined dict does error exceeded
  expected failed float from function given have illegal initialization input instance invalid iterable length list
  maximum missing must nonetype null number object only option passed properties property range read reading received
  required setting should size stack string supported that this token tuple type undefined unexpected unknown valid
  value when with without`.split(/\s+/),
);

/** Whether the message names something that only the newer version has. */
function missesFeature(pair: Pair, message: string): boolean {
  // Python uses these words for a pair of values.
  if (notOffered.test(message.replace(/unsupported operand|unsupported format/, ""))) return true;
  const words =
    firstLine(message)
      .slice(0, messageUnitsMax)
      .match(/[A-Za-z_$][\w$]{3,}/g) ?? [];
  return words.some((word) => !plainWords.has(word.toLowerCase()) && isNewWord(pair, word));
}

const isNewWord = ({ olderFolder, newerFolder, ecosystem }: Pair, word: string): boolean => {
  const isKnown = (folder: string): boolean => wordsOf(folder, ecosystem.isRuntimeCode).has(word);
  return !isKnown(olderFolder) && isKnown(newerFolder);
};

const words = new Map<string, ReadonlySet<string>>();
const versionsKept = 40;

/** Returns every word in a version's code. */
function wordsOf(folder: string, isRuntimeCode: (file: string) => boolean): ReadonlySet<string> {
  const known = words.get(folder);
  if (known !== undefined) return known;
  const files = packageFiles(folder).filter(isRuntimeCode);
  const found = new Set(files.flatMap((file) => readFileSync(join(folder, file), "utf8").match(/[\w$]+/g) ?? []));
  if (words.size >= versionsKept) words.clear();
  words.set(folder, found);
  return found;
}
