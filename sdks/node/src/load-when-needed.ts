import nodeModule from "node:module";

/** Asked for by name: webpack puts `undefined` in the place of a call of `createRequire` that it finds. */
const createRequire: typeof nodeModule.createRequire = Reflect.get(nodeModule, "createRequire");

/**
 * Loads one of Node's own modules now, not at start-up: a program that never fails never pays for what only failures
 * need. From where it is asked makes no difference to those modules, so any path will do.
 */
export const loadWhenNeeded: NodeJS.Require = createRequire(process.execPath);
