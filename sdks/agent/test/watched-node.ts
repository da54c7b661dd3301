import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type OrderedPlace, ordersVariable } from "../src/watch/node/orders.ts";
import { folder, runWatched, type Watch } from "./watched-folder.ts";

const preload = join(import.meta.dirname, "../src/watch/node/preload.ts");

/** Runs a program; with orders, watched. */
export function run(file: string, orders?: Watch["orders"]): ReturnType<typeof runWatched> {
  const variables = (ordersFile: string) => ({ [ordersVariable]: ordersFile, NODE_OPTIONS: `--require ${preload}` });
  return runWatched(process.execPath, [file], orders && { orders, variables });
}

/** Writes a file of the program. */
export async function program(name: string, code: string): Promise<string> {
  const file = join(folder, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, code);
  return file;
}

/** A place in a file; `starts` is the line where its function begins. */
export function place(file: string, line: number, starts: number | null = null): OrderedPlace {
  return { file, line, starts };
}
