import type { Adapter } from "./adapters.ts";
import { Program } from "./program.ts";

/** The input of every measurement. */
export interface Bench {
  /** The Node that programs run on. */
  readonly node: string;
  /** How often each figure is measured. */
  readonly rounds: number;
  /** The baseline first. */
  readonly adapters: readonly Adapter[];
  /** The folder with express and fastify. */
  readonly frameworks: string;
  /** Empty, and deleted at the end. */
  readonly directory: string;
}

/** A client in a program, and the service that it sends to. */
export interface Pair {
  readonly sink: Program;
  readonly url: string;
  readonly program: Program;
}

/** Starts a sink, then a program of `adapter` that sends to it. */
export async function startPair(
  bench: Bench,
  adapter: Adapter,
  program: string,
  args: readonly string[] = [],
): Promise<Pair> {
  const sink = new Program(bench.node, "sink.cjs", []);
  const { port } = await sink.said<{ port: number }>();
  const url = `http://127.0.0.1:${port}`;
  return { sink, url, program: startProgram(bench, adapter, program, [url, ...args]) };
}

/** Starts a program of `adapter`, whose `init` gets `options`. */
export function startProgram(
  bench: Bench,
  adapter: Adapter,
  program: string,
  args: readonly string[],
  options: object = {},
): Program {
  return new Program(bench.node, program, [JSON.stringify({ ...adapter, options }), ...args]);
}

/** Returns the median of the values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle) - 1] ?? Number.NaN)) / 2;
}

/** Formats the median with `digits` decimals. */
export function shown(values: readonly number[], digits = 0): string {
  const value = median(values);
  return Number.isNaN(value) ? "–" : value.toFixed(digits);
}
