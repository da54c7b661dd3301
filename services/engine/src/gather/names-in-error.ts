import type { ParsedError } from "../findings.ts";

/** Words that an error says and code may spell: more would find everything. */
const wordsMax = 8;
const environmentVariable = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g;
const quotedKey = /["'`]([A-Za-z][\w-]{0,100}(?:\.[\w-]{1,100}){1,6})["'`]/g;
const path = /[\w@./\\-]{1,500}\.[A-Za-z]{1,8}\b/g;

/** Environment variables, settings keys, and the route that an error or its request names. */
export function wordsToFind(error: ParsedError, route: string | undefined): string[] {
  const words = messagesOf(error).flatMap((message) => [
    ...(message.match(environmentVariable) ?? []),
    ...[...message.matchAll(quotedKey)].flatMap(([, key]) => key ?? []),
  ]);
  // Codes of errors are spelled like variables.
  const named = words.filter((word) => !/^(?:ERR|E)_/.test(word));
  return [...new Set([...named, ...(route === undefined ? [] : [route])])].slice(0, wordsMax);
}

/** Paths of files that an error's messages name. */
export function pathsNamed(error: ParsedError): string[] {
  return [...new Set(messagesOf(error).flatMap((message) => message.match(path) ?? []))];
}

function messagesOf({ chain, exceptions, headline }: ParsedError): string[] {
  const messages = chain.flatMap((index) => exceptions[index]?.message ?? []);
  return messages.length > 0 ? messages : [headline];
}
