import type { ValueSource } from "../../signals/code/value-sources.ts";
import type { AnyCodeSignal } from "../../signals/signal.ts";
import type { SourceText } from "../../source/source-text.ts";
import { argumentsOf, plain, receiverOf } from "../code/expressions.ts";
import { type CodeNode, walk } from "../code/ir.ts";
import { anyKey } from "../code/program.ts";
import { closest } from "../code/similar-names.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { FollowedValue, Following } from "./following.ts";
import { calledMethod, isCalled, mayHold, noteMisformed } from "./misformed.ts";
import { type CodePlaceSubject, placeAt } from "./trail.ts";
import { isMissing } from "./wanted.ts";

const dataFile = /\.(?:json|ya?ml|toml|properties|ini|conf|cfg|env)$|(?:^|\/)\.env/;
const keyLine = /^[ \t]*(?:-[ \t]+)?(?:export )?["']?([\w.$-]{1,60})["']?[ \t]*[:=]/;
const quotedKey = /"([\w.$-]{1,60})"\s{0,4}:/g;
const namedDataFile = /(?:^|\/)([\w.-]{1,100}\.(?:json|ya?ml|toml|env|properties))$/;
/** How much of an expression is searched for the name of a file. */
const pathNodesMax = 60;
const keysMax = 2_000;

interface DataKey {
  readonly key: string;
  readonly line: number;
}

/** Returns the data file that a call reads, when its path is a literal and the file was given. */
export function dataFileRead({ codebase }: Following, call: CodeNode): SourceText | null {
  if (!readers.test(call.name ?? "")) return null;
  const path = argumentsOf(call)[0]?.value;
  const texts = path ? [...walk(path, pathNodesMax)].filter(({ kind }) => kind === "string") : [];
  const [name] = texts.flatMap((text) => namedDataFile.exec(text.name ?? "")?.[1] ?? []);
  return name ? codebase.files.find(name, null) : null;
}

const readers = /^(?:readFile|readFileSync|open|ReadFile|load_file|read|readString)$/;

/**
 * Follows a literal path. What the program reads there comes from the file, if that was given. Whether or not it was,
 * the file is what is wrong when the text read there is what couldn't be parsed.
 */
export function followPath(tracer: Following, followed: FollowedValue, literal: CodeNode): void {
  const { codebase, trail } = tracer;
  const path = plain(literal);
  const name = path.kind === "string" ? (path.name ?? "") : "";
  if (!dataFile.test(name)) return;
  const source = codebase.files.find(name, null);
  noteNamed(tracer, followed, literal, name, source);
  if (!source) return;
  const args = { how: "data", name, code: source.line(source.firstLine).trim().slice(0, lineUnitsMax) } as const;
  trail.add({ kind: "value-step", args }, placeIn(source, source.firstLine), followed.from);
}

function noteNamed(
  { trail }: Following,
  followed: FollowedValue,
  at: CodeNode,
  name: string,
  source: SourceText | null,
): void {
  const { program, from } = followed;
  if (!isPathOfRefused(from, program.dialect)) return;
  trail.add({ kind: "named-file", args: { name, file: source?.name ?? name } }, placeAt(program, at), from);
}

/**
 * Returns whether a value is the path of a file whose text went unchanged from where it was read to the parser that
 * failed.
 */
export function isPathOfRefused(value: AnyCodeSignal, { calls }: Dialect): boolean {
  let isRead = false;
  for (let at: AnyCodeSignal | null = value; at !== null; at = at.towards) {
    if (at.kind === "throw-site") return isRead && calls.parsing.has(/\w+$/.exec(at.args.expression ?? "")?.[0] ?? "");
    if (at.kind !== "value-step") return false;
    if (isRead && !textHandedOn.has(at.args.how)) return false;
    isRead ||= readers.test(at.args.name);
  }
  return false;
}

const textHandedOn: ReadonlySet<ValueSource> = new Set<ValueSource>([
  ...(["parameter", "argument", "assignment", "call", "awaited-call", "return", "outside-answer", "data"] as const),
]);

/** Follows what a call reads from a given data file. */
export function followRead(tracer: Following, followed: FollowedValue, call: CodeNode, source: SourceText): void {
  const inner = tracer.step(followed, call, "data", call.name ?? "");
  noteNamed(tracer, inner, call, source.name.slice(source.name.lastIndexOf("/") + 1), source);
  followDataFile(tracer, inner, source, followed.path);
}

/** Follows a data file to its value under the last requested key, or under one with almost the same spelling. */
export function followDataFile(
  tracer: Following,
  followed: FollowedValue,
  source: SourceText,
  path: readonly string[],
): void {
  noteKey(tracer, followed, [source], path, true);
}

/** The files that a parser reads, by what its function is called on. */
const parsers: ReadonlyMap<string, RegExp> = new Map([
  ["json", /\.json$/],
  ["tomllib", /\.toml$/],
  ["tomli", /\.toml$/],
  ["toml", /\.toml$/],
  ["yaml", /\.ya?ml$/],
]);

/** Returns what the names of the files end in that a call can parse; null when it isn't known. */
function fileEndings(call: CodeNode): RegExp | null {
  const on = receiverOf(call);
  return (on?.kind === "name" && parsers.get(on.name?.toLowerCase() ?? "")) || null;
}

/**
 * Follows what a call parses to the data files whose text it may have been: those in the format that it reads, and of
 * these, the one that its argument names. What a request or a response contains is in none.
 */
export function followParsed(tracer: Following, followed: FollowedValue, call: CodeNode): void {
  const given = argumentsOf(call).flatMap(({ value }) => [...walk(value, pathNodesMax)]);
  if (given.some(({ name }) => received.test(name ?? ""))) return;
  const endings = fileEndings(call) ?? dataFile;
  const named = given.flatMap(({ kind, name }) =>
    kind === "string" ? (namedDataFile.exec(name ?? "")?.[1] ?? []) : [],
  );
  const mayBeRead = ({ name }: SourceText): boolean =>
    endings.test(name) && (named.length === 0 || named.some((one) => name.endsWith(one)));
  followData(tracer, followed, followed.path, true, mayBeRead);
}

/** What a service receives from outside, by the names that code gives it. */
const received = /^(?:rfile|stdin|req|request|res|resp|response|body|socket|sock|conn)$/i;

/**
 * Follows to the line of a key, or of one with almost the same spelling, in the given data files. A missing key is only
 * noted when the value is known to come from data (`isData`).
 */
export function followData(
  tracer: Following,
  followed: FollowedValue,
  path: readonly string[],
  isData: boolean,
  mayBeRead: (source: SourceText) => boolean = () => true,
): void {
  const all = tracer.codebase.files.all.filter(({ name }) => isSettings(name));
  const near = tracer.codebase.near();
  const named = all.filter(({ name }) => near.some(({ source }) => source.text.includes(name.split("/").at(-1) ?? "")));
  const readable = named.some(mayBeRead) ? named.filter(mayBeRead) : all.filter(mayBeRead);
  // Of several files, the one that lacks the key is a guess.
  const isOnly = (named.length > 0 ? named : all).length === 1;
  noteKey(tracer, followed, readable, path, isData, isData && isOnly);
}

/** Returns whether a file is data that a program may read, rather than what configures its tools. */
function isSettings(name: string): boolean {
  return dataFile.test(name) && !/(?:^|\/)(?:package(?:-lock)?|tsconfig)\.json$/.test(name);
}

function noteKey(
  tracer: Following,
  followed: FollowedValue,
  files: readonly SourceText[],
  path: readonly string[],
  isData: boolean,
  mayLack = isData,
): void {
  const called = isData ? calledMethod(followed, path) : null;
  if (called && noteMisformed(tracer, followed, files, path, called)) return;
  const key = path.findLast((one) => one !== anyKey && !/^\d+$/.test(one) && one !== "default");
  // What is there has the key, and lacks one that the code computes, which is followed on its own.
  const isComputed = path.at(-1) === anyKey && path.length > 1 && isMissing(followed.wanted);
  if (key === undefined || isComputed) return;
  const read = files.map((source) => ({ source, keys: keysOf(source) }));
  const add = (source: SourceText, line: number, how: "data" | "setting" | "missing-key", isOneOf = false): void => {
    const code = source.line(line).trim().slice(0, lineUnitsMax);
    tracer.trail.add(
      { kind: "value-step", args: { how, name: key, code, ...(isOneOf && { isOneOf }) } },
      placeIn(source, line),
      followed.from,
    );
  };
  const inCase = (text: string): string => (followed.program.dialect.ignoresCaseOfKeys ? text.toLowerCase() : text);
  const wanted = inCase(key);
  const entries = read.flatMap(({ source, keys }) =>
    keys
      .filter((one) => inCase(one.key) === wanted || inCase(one.key).endsWith(`.${wanted}`))
      .map(({ line }) => ({ source, line })),
  );
  const own = entries.find(({ source }) => !called || mayHold(source, path));
  if (own) {
    add(own.source, own.line, "data", entries.length > 1);
    return;
  }
  if (called || (isData && isCalled(followed.from, key))) return;
  for (const { source, keys } of read) {
    const alike = closest(
      keys.map((one) => one.key),
      key,
    );
    const twin = keys.find((one) => one.key === alike);
    if (twin) {
      add(source, twin.line, "setting");
      return;
    }
  }
  const [first] = read;
  if (mayLack && first && read.length === 1 && key !== builtIn)
    add(first.source, first.source.firstLine, "missing-key");
}

/** Lists and texts have it without a key. */
const builtIn = "length";
const lineUnitsMax = 120;

function placeIn(source: SourceText, line: number): CodePlaceSubject {
  return { kind: "place", file: source.name, line, function: null, source };
}

function keysOf(source: SourceText): DataKey[] {
  if (source.name.endsWith(".json"))
    return [...source.text.matchAll(quotedKey)]
      .slice(0, keysMax)
      .map(({ 1: key = "", index }) => ({ key, line: source.lineAt(index) }));
  const keys: DataKey[] = [];
  for (let line = source.firstLine; line <= source.lastLine && keys.length < keysMax; line++) {
    const key = keyLine.exec(source.line(line))?.[1];
    if (key !== undefined) keys.push({ key, line });
  }
  return keys;
}
