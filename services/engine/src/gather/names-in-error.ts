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
  const said = [...functionsOf(error), ...named, ...(route === undefined ? [] : [route]), ...limitsOf(error)];
  return [...new Set(said)].slice(0, wordsMax);
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
