import type { Style } from "../terminal/style.ts";

/** The parts of its process that a command may use. */
export interface Surroundings {
  readonly cwd: string;
  /** The user's home, which holds the credentials. */
  readonly home: string;
  readonly environment: {
    /** `WHENCE_URL` */
    readonly url: string | undefined;
    /** `WHENCE_API_KEY` */
    readonly apiKey: string | undefined;
    /** All of it, for the programs that a command starts. */
    readonly variables: Readonly<Record<string, string | undefined>>;
  };
  readonly stdin: { readonly isTerminal: boolean; read(bytesMax: number): Promise<Uint8Array> };
  readonly stdout: Output;
  readonly stderr: Output;
  /** Aborted when the user cancels. */
  readonly signal: AbortSignal;
}

/** One of the streams that a command writes to. */
export interface Output {
  readonly isTerminal: boolean;
  readonly columns: number;
  /** Adds colors when the stream is a terminal that supports them. */
  readonly style: Style;
  write(text: string): void;
}

/** A parsed command line. */
export interface CommandLine {
  readonly values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly positionals: readonly string[];
}

export interface CommandOption {
  readonly type: "string" | "boolean";
  readonly multiple?: boolean;
  /** The placeholder of a string option's value in the help; FILE is completed as a path. */
  readonly value?: string;
  readonly description: string;
}

/** A command. The help, the completion, and the parser are generated from it. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** The operands as the help shows them: `[FILE|-]`. Empty when there are none. */
  readonly operands: string;
  /** The allowed values of the first operand. */
  readonly choices?: readonly string[];
  readonly options: Readonly<Record<string, CommandOption>>;
  readonly details: string;
  /** Resolves with the exit code. */
  run(line: CommandLine, surroundings: Surroundings): Promise<number>;
}

/** 0 is success. */
export const exitCodes = { completed: 0, failed: 1, usage: 2 } as const;

/** A command line that the command doesn't accept: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Returns the value of a string option that may be given once. */
export function textOption({ values }: CommandLine, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

/** Returns the values of a string option that may be given several times. */
export function textOptions({ values }: CommandLine, name: string): readonly string[] {
  const value = values[name];
  return Array.isArray(value) ? value.map(String) : [];
}

export function hasFlag({ values }: CommandLine, name: string): boolean {
  return values[name] === true;
}

/** Options of every command that calls the service. */
export const serviceOptions = {
  url: { type: "string", value: "URL", description: "the service (WHENCE_URL; http://127.0.0.1:4000)" },
} as const satisfies Record<string, CommandOption>;
