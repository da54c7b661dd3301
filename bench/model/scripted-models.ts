import { hash } from "node:crypto";
import { z } from "zod";
import type { Script, Turn } from "../../services/analyzer/test/model-run/scripted-server.ts";

/** Whether a file or a service counts as a right answer to the failure that is asked about. */
export type IsRight = (name: string) => boolean;

/** The scripted models, by what they do. */
export const scriptedModels = {
  /** Names wrong files with confidence, rules out the right one, and quotes lines that are there. */
  wrong: (isRight: IsRight): Script => wrong(isRight),
  /** Is right in 0, a half, or four fifths of the failures, and otherwise names the innermost file of the stack. */
  mixed: (isRight: IsRight): Script => mixed(isRight),
  /** Proposes nothing. */
  silent: (): Script => () => propose([]),
  /** Answers every request with an error of the server. */
  failing: (): Script => () => ({ status: 500 }),
} as const;
export type ScriptedModelName = keyof typeof scriptedModels;

export function isScriptedModel(name: string): name is ScriptedModelName {
  return Object.hasOwn(scriptedModels, name);
}

/** A proposal has four findings at most: as many wrong ones push a right one out of the first three. */
const wrongMax = 3;
/** Lines at the beginning of a file among which one is quoted. */
const linesRead = 60;
/** The fewest letters of a line that is worth quoting. */
const lettersMin = 8;
/** The longest quote; of a longer line, the beginning is quoted. */
const quoteUnitsMax = 200;
const code = /\.(?:[cm]?[jt]sx?|py|java|go|rb|txt)$/;
const printedPath = /([\w@$./-]+\.(?:[cm]?[jt]sx?|py|java|go|rb))\b/;

function propose(findings: readonly object[]): Turn {
  return { call: "propose", input: { findings } };
}

/** A file and one of its lines, or a line of the failure that prints it. */
interface Quoted {
  readonly file: string;
  readonly line: number | null;
  readonly text: string;
}

/** Lists the files, reads some, and proposes; without files, it names those that the failure prints. */
function wrong(isRight: IsRight): Script {
  return ({ request, body }) => {
    const conversation = readConversation(body);
    if (request === 0) return { call: "list_files", input: {} };
    const listed = (conversation.results[0]?.lines ?? []).filter((path) => code.test(path));
    if (request === 1 && listed.length > 0) {
      const files = [...chosen(listed, isRight, (path) => path)];
      return { calls: files.map((file) => ({ call: "read_file", input: { file, from: 1, to: linesRead } })) };
    }
    const read = conversation.results.flatMap(({ file, lines }) => (file === null ? [] : quotedOf(file, lines)));
    const quoted = read.length > 0 ? read : printedIn(conversation.failure);
    return propose(chosen(quoted, isRight, ({ file }) => file).map((one) => findingOn(one, isRight(one.file))));
  };
}

/** In what share of the failures a reader of `mixed` is right, a third of the failures each. */
const rightShares = [0, 0.5, 0.8] as const;

/**
 * Lists the files, reads one, and proposes it: the right one where chance, by the failure and the run, says so, else the
 * innermost of the stack that isn't right. A run that sees the engine's report draws on its own.
 */
function mixed(isRight: IsRight): Script {
  return ({ request, body }) => {
    const { failure, results } = readConversation(body);
    if (request === 0) return { call: "list_files", input: {} };
    const share = rightShares[Math.floor(rightShares.length * chance(failure.join("\n")))] ?? 0;
    const run = body.includes("the engine's report") ? "shown" : "blind";
    const isLucky = chance(`${run}\n${failure.join("\n")}`) < share;
    const isWanted = ({ file }: Pick<Quoted, "file">): boolean => isRight(file) === isLucky;
    const printed = printedIn(failure);
    const isInnermostLast = failure.some((line) => line.startsWith("Traceback"));
    const inward = (isInnermostLast ? printed.toReversed() : printed).filter(isWanted);
    const listed = (results[0]?.lines ?? []).filter((path) => code.test(path) && isWanted({ file: path }));
    const onStack = inward.flatMap(({ file }) => listed.find((path) => file.endsWith(path)) ?? []);
    const [chosen] = [...onStack, ...listed];
    if (request === 1 && chosen !== undefined)
      return { call: "read_file", input: { file: chosen, from: 1, to: linesRead } };
    const read = results.flatMap(({ file, lines }) => (file === null ? [] : quotedOf(file, lines)));
    return propose((read.length > 0 ? read : inward).slice(0, 1).map((one) => findingOn(one, false)));
  };
}

/** A number from 0 to 1 that depends on a text alone. */
function chance(text: string): number {
  return Number.parseInt(hash("sha256", text).slice(0, 8), 16) / 0x1_0000_0000;
}

/** The last wrong ones, since those before are more likely to be candidates already, and the first right one. */
function chosen<One>(all: readonly One[], isRight: IsRight, fileOf: (one: One) => string): readonly One[] {
  const { right = [], wrong: others = [] } = Object.groupBy(all, (one) => (isRight(fileOf(one)) ? "right" : "wrong"));
  return [...others.slice(-wrongMax), ...right.slice(0, 1)];
}

function findingOn({ file, line, text }: Quoted, isRight: boolean): object {
  return {
    ...{ kind: "place", file, line, category: "concurrency", stance: isRight ? "refutes" : "supports" },
    sentence: isRight ? "this code is correct" : "this code returns the wrong value",
    citations: [line === null ? { excerpt: text } : { file, from: line, to: line, excerpt: text }],
  };
}

/** The line of a file that has the most letters, as `read_file` shows it. */
function quotedOf(file: string, lines: readonly string[]): readonly Quoted[] {
  const shown = lines.flatMap((one) => {
    const [, number, text] = /^(\d+) \| (.*)$/.exec(one) ?? [];
    return number !== undefined && text !== undefined
      ? [{ file, line: Number(number), text: text.slice(0, quoteUnitsMax) }]
      : [];
  });
  const [longest] = shown.toSorted((one, other) => lettersIn(other.text) - lettersIn(one.text));
  return longest && lettersIn(longest.text) >= lettersMin ? [longest] : [];
}

function lettersIn(text: string): number {
  return text.replace(/\P{L}/gu, "").length;
}

function printedIn(failure: readonly string[]): readonly Quoted[] {
  const printed = failure.flatMap((text) => {
    const file = printedPath.exec(text)?.[1];
    return file === undefined ? [] : [[file, { file, line: null, text }] as const];
  });
  return [...new Map(printed).values()];
}

/** What a model has been sent: the failure, and what tools answered, in order. */
interface Conversation {
  readonly failure: readonly string[];
  readonly results: readonly { readonly file: string | null; readonly lines: readonly string[] }[];
}

const callSchema = z.object({ id: z.string(), function: z.object({ arguments: z.string() }) });
const bodySchema = z.object({
  messages: z.array(
    z.object({
      role: z.string(),
      content: z.string().nullable().catch(null),
      tool_calls: z.array(callSchema).optional(),
      tool_call_id: z.string().optional(),
    }),
  ),
});
const argumentsSchema = z.object({ file: z.string() });

function readConversation(body: string): Conversation {
  const { messages } = bodySchema.parse(JSON.parse(body));
  const calls = messages.flatMap(({ tool_calls: made = [] }) => made);
  const askedFor = (id: string | undefined): string | null => {
    const call = calls.find((one) => one.id === id);
    const parsed = call ? argumentsSchema.safeParse(JSON.parse(call.function.arguments)) : null;
    return parsed?.success ? parsed.data.file : null;
  };
  const opening = messages.find(({ role }) => role === "user")?.content ?? "";
  const results = messages.filter(({ role }) => role === "tool");
  return {
    failure: linesIn(opening),
    results: results.map(({ content, tool_call_id: id }) => ({ file: askedFor(id), lines: linesIn(content ?? "") })),
  };
}

/** The lines of the first text from outside. */
function linesIn(content: string): readonly string[] {
  const [, text = ""] = /<outside [^>]*>\n([\s\S]*?)\n<\/outside /.exec(content) ?? [];
  return text.split("\n");
}
