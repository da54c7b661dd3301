import { Module } from "node:module";

/**
 * Loads one of Node's built-in modules on first use, so that a program that never fails doesn't pay for it at startup.
 * Built-ins resolve the same from any path. Doesn't use `createRequire`: webpack replaces it with `undefined`, and
 * Jest's fails the run when it is called after a test file has ended. Bun's modules can't require, but Bun has newer
 * Node's replacement.
 */
export function loadBuiltin<Loaded>(name: `node:${string}`): Loaded {
  const module = new Module(process.execPath);
  return typeof module.require === "function" ? module.require(name) : (process.getBuiltinModule(name) as Loaded);
}
