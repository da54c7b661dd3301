import { Module } from "node:module";
import { readProperty } from "../../runtime/read-property.ts";

/** Returns the source to compile instead of a file's own; undefined to keep that. Must not throw. */
export type ChangeSource = (source: string) => string | undefined;

/**
 * Changes the sources of CommonJS modules as they load. `find` returns the change for a path, for the few files
 * concerned. It uses a setter on a module's `id`, the first property that Node sets, rather than the methods that load
 * modules, which appear in all stack traces of a program's startup. Once the changed module is compiled, no trace of
 * this remains on it.
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

/** The module method that compiles its source. */
const name = "_compile";
