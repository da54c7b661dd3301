import type { Style } from "../terminal/style.ts";

/** What a command works with: the process it runs in, as far as it may touch it. */
export interface Surroundings {
  readonly cwd: string;
  /** The user's home, where the credentials are. */
  readonly home: string;
  readonly environment: {
    /** `WHENCE_URL` */
    readonly url: string | undefined;
    /** `WHENCE_API_KEY` */
    readonly apiKey: string | undefined;
  };
  readonly stdin: { readonly isTerminal: boolean; read(bytesMax: number): Promise<Uint8Array> };
  readonly stdout: Output;
  readonly stderr: Output;
  /** Fires when the user wants no more. */
  readonly signal: AbortSignal;
}

/** One of the streams that a command writes to. */
export interface Output {
  readonly isTerminal: boolean;
  readonly columns: number;
  /** With marks when it is a terminal that wants them. */
  readonly style: Style;
  write(text: string): void;
}

/** What of the command line a command gets. */
export interface CommandLine {
  readonly values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly positionals: readonly string[];
}

export interface CommandOption {
  readonly type: "string" | "boolean";
  readonly multiple?: boolean;
  /** What an option of a string takes, as the help calls it; a FILE is completed. */
  readonly value?: string;
  readonly description: string;
}

/** A command: the help, the completion and the parser are made from this. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** What comes after the options, as the help shows it: `[FILE|-]`. Empty when nothing may. */
  readonly operands: string;
  /** Words that the first operand is one of. */
  readonly choices?: readonly string[];
  readonly options: Readonly<Record<string, CommandOption>>;
  readonly details: string;
  /** Resolves with the exit code. */
  run(line: CommandLine, surroundings: Surroundings): Promise<number>;
}

/** 0 is success. */
export const exitCodes = { completed: 0, failed: 1, usage: 2 } as const;

/** The command line is not as the command takes it: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** An option of a string that may be given once. */
export function textOption({ values }: CommandLine, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

/** An option of a string that may be given several times. */
export function textOptions({ values }: CommandLine, name: string): readonly string[] {
  const value = values[name];
  return Array.isArray(value) ? value.map(String) : [];
}

export function hasFlag({ values }: CommandLine, name: string): boolean {
  return values[name] === true;
}

/** Options of every command that asks the service. */
export const serviceOptions = {
  url: { type: "string", value: "URL", description: "the service (WHENCE_URL; http://127.0.0.1:4000)" },
} as const satisfies Record<string, CommandOption>;
