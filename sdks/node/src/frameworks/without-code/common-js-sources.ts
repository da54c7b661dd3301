import { Module } from "node:module";
import { readProperty } from "../../runtime/read-property.ts";

/** Returns the source to compile in place of a file's own; undefined for that as it is. Must not throw. */
export type ChangeSource = (source: string) => string | undefined;

/**
 * Has the sources of CommonJS modules changed as they load: `find` returns what changes that of a path, for the few
 * that it concerns. A module's `id` is the first thing that Node sets on it. A setter there leaves the methods that load
 * modules alone, which all stack traces of a program's start name. Once the changed module compiles, nothing is left of
 * this on it.
 */
export function changeCommonJsSources(find: (path: string) => ChangeSource | undefined): void {
  const { prototype } = Module;
  if (Object.getOwnPropertyDescriptor(prototype, "id")) return;
  function setId(this: object, value: unknown): void {
    Object.defineProperty(this, "id", { value, writable: true, enumerable: true, configurable: true });
    const change = typeof value === "string" ? find(value) : undefined;
    if (change) compileChanged(this, change);
  }
  Object.defineProperty(prototype, "id", { get: () => undefined, set: setId, configurable: true });
}

function compileChanged(module: object, change: ChangeSource): void {
  function compile(this: object, source: unknown, ...rest: unknown[]): unknown {
    Reflect.deleteProperty(module, name);
    const changed = typeof source === "string" ? change(source) : undefined;
    const original = readProperty(this, name);
    return typeof original === "function" ? original.call(this, changed ?? source, ...rest) : undefined;
  }
  Object.defineProperty(module, name, { value: compile, writable: true, configurable: true });
}

/** The method of a module that compiles its source. */
const name = "_compile";
