// The jobs of these programs.
import { setTimeout as pause } from "node:timers/promises";

/** Prints directly, as Nest's own logger does. */
export const printStack = (error) => process.stdout.write(`${error?.stack ?? JSON.stringify(error)}\n`);
export const logger = { log: () => undefined, warn: () => undefined, error: printStack };

export async function takeFromStock(id) {
  console.log("order", id);
  await pause(5);
  console.log("stock", id);
  throw new Error(`no stock of ${id}`);
}

/** Decorates a method by calling its decorators, since Node doesn't support their syntax. */
export function decorate({ prototype }, name, ...decorators) {
  for (const decorator of decorators) decorator(prototype, name, Object.getOwnPropertyDescriptor(prototype, name));
}
