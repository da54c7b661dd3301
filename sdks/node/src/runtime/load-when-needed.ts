import { Module } from "node:module";

/**
 * Loads one of Node's own modules now, not at start-up: a program that never fails never pays for what only failures
 * need. From where it is asked makes no difference to those modules, so any path will do. Not by `createRequire`, of
 * which webpack makes `undefined`, and Jest one that fails the run when a test file that is over still loads something.
 */
export function loadWhenNeeded<Loaded>(name: `node:${string}`): Loaded {
  return new Module(process.execPath).require(name);
}
