import type { ParsedError } from "../findings/parsed-error.ts";

/** How many words of an error are searched for: more would match every file. */
const wordsMax = 8;
const environmentVariable = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g;
const quotedKey = /["'`]([A-Za-z][\w-]{0,100}(?:\.[\w-]{1,100}){1,6})["'`]/g;
const path = /[\w@./\\-]{1,500}\.[A-Za-z]{1,8}\b/g;

/**
 * How many functions of the innermost own frames are searched for: after a promise that isn't awaited, their callers
 * may not be on the stack.
 */
const functionsMax = 2;
/** Shorter names, such as `get`, are everywhere. */
const functionLengthMin = 5;

/**
 * Returns the functions that failed, and the environment variables, settings, and route that an error or its request
 * names.
 */
export function wordsToFind(error: ParsedError, route: string | undefined): string[] {
  const words = messagesOf(error).flatMap((message) => [
    ...(message.match(environmentVariable) ?? []),
    ...[...message.matchAll(quotedKey)].flatMap(([, key]) => key ?? []),
  ]);
  // Error codes are spelled like variables.
  const named = words.filter((word) => !/^(?:ERR|E)_/.test(word));
  const from = route === undefined ? [] : [route];
  const said = [...functionsOf(error), ...named, ...from, ...limitsOf(error), ...tablesOf(error), ...packagesOf(error)];
  return [...new Set(said)].slice(0, wordsMax);
}

/** What a database says when it refuses a statement, and the names in it. */
const refused = /\b(?:constraint|column|relation|table)\b/i;
const refusedName =
  /\b(?:constraint failed|column|relation|table|update|into|from|for key)(?: named)?[: ]{1,2}["'`]?(\w{3,80}(?:\.\w{1,80})?)/gi;
const namedByDatabaseMax = 4;

/** Returns the tables and columns that a database's message names: its error often has no calls of the program. */
function tablesOf(error: ParsedError): readonly string[] {
  const messages = messagesOf(error).filter((message) => refused.test(message));
  const names = messages.flatMap((message) => [...message.slice(-messageUnitsMax).matchAll(refusedName)].reverse());
  return [...new Set(names.flatMap(([, name = ""]) => name.split(".")))].slice(0, namedByDatabaseMax);
}

/** Databases say what is wrong after the statement. */
const messageUnitsMax = 2_000;
const packagesMax = 2;

/** Returns the packages on a stack without any call of the program, the outermost first: the program calls one of them. */
function packagesOf({ chain, exceptions }: ParsedError): readonly string[] {
  const frames = chain.flatMap((index) => exceptions[index]?.frames ?? []);
  if (frames.some(({ origin }) => origin === "app")) return [];
  const folder = /.*\b(?:node_modules|site-packages|dist-packages)[\\/]((?:@[\w.-]+[\\/])?[\w.-]+)/;
  const names = frames.toReversed().flatMap(({ file }) => folder.exec(file ?? "")?.[1] ?? []);
  return [...new Set(names)].slice(0, packagesMax);
}

/** What sets a time limit: an error that a timer makes has no calls of the program. */
const limits: readonly (readonly [said: RegExp, words: readonly string[]])[] = [
  [/^(?:TimeoutError|AbortError|DOMException)$/, ["AbortSignal", "AbortController"]],
  [/(?:^|\.)(?:TimeoutError|TimeoutException|ReadTimeout|ConnectTimeout|CancelledError)$/, ["wait_for", "timeout"]],
];

function limitsOf({ chain, exceptions }: ParsedError): readonly string[] {
  const raised = chain.flatMap((index) => exceptions[index] ?? []);
  if (raised.some(({ frames }) => frames.length > 0)) return [];
  return raised.flatMap(({ type }) => limits.filter(([said]) => said.test(type)).flatMap(([, words]) => words));
}

function functionsOf({ chain, exceptions }: ParsedError): string[] {
  const frames = chain.flatMap((index) => exceptions[index]?.frames ?? []);
  const own = frames.filter(({ origin }) => origin === "app").slice(0, functionsMax);
  const names = own.map((frame) => frame.function?.split(/[.#:\s]/).at(-1) ?? "");
  return names.filter((name) => name.length >= functionLengthMin && /^\w+$/.test(name));
}

/** Returns the file paths that an error's messages name. */
export function pathsNamed(error: ParsedError): string[] {
  return [...new Set(messagesOf(error).flatMap((message) => message.match(path) ?? []))];
}

function messagesOf({ chain, exceptions, headline }: ParsedError): string[] {
  const messages = chain.flatMap((index) => exceptions[index]?.message ?? []);
  return messages.length > 0 ? messages : [headline];
}
