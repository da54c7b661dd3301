import { spawn } from "node:child_process";
import { join } from "node:path";
import { type App, sitePackages } from "./app.ts";

const timeLimitMs = 6_000;
/** A blocked main thread is noticed after it began, and its stack is read after that. */
const watchedTimeLimitMs = 20_000;
const memoryLimitMb = 512;
const niceness = 5;
const outputMaxCharacters = 200_000;
/** `nobody`: a mutated program may delete or write files where the original wouldn't. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

export interface Execution {
  /** `undefined` when it was ended by a signal or timed out. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** What to observe while an app runs. */
export interface Watch {
  readonly env: Readonly<Record<string, string>>;
  /** A Python program that runs the entry. */
  readonly runner?: string;
  /** A module that Node.js loads before the entry. */
  readonly preload?: string;
  /** How long it may run; by default as long as a mutation may. */
  readonly timeLimitMs?: number;
}

/** A command that runs in a folder, without the rights of who started it. */
export interface Command {
  readonly arguments: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly timeLimitMs: number;
}

/** Runs an app in `folder` and waits for its exit. Paths in its output are written as `/app/...`. */
export function execute(app: App, folder: string, watch: Watch = { env: {} }): Promise<Execution> {
  return executeCommand(folder, {
    arguments: commandOf(app, watch),
    env: {
      NODE_NO_WARNINGS: "1",
      PYTHONPATH: join(folder, sitePackages),
      PYTHONHASHSEED: "0",
      ...app.env,
      ...watch.env,
    },
    timeLimitMs: watch.timeLimitMs ?? (watch.preload === undefined ? timeLimitMs : watchedTimeLimitMs),
  });
}

/** Runs a command in `folder` and waits for its exit. Paths in its output are written as `/app/...`. */
export function executeCommand(folder: string, command: Command): Promise<Execution> {
  const child = spawn("nice", ["-n", String(niceness), ...command.arguments], {
    cwd: folder,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOME: join(folder, "tmp"),
      TMPDIR: join(folder, "tmp"),
      LANG: "C.UTF-8",
      ...command.env,
    },
    ...unprivileged,
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (stdout.length < outputMaxCharacters) stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (stderr.length < outputMaxCharacters) stderr += text;
  });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    }, command.timeLimitMs);
    child.on("error", reject).on("close", (code) => {
      clearTimeout(timer);
      resolve({
        code: code ?? undefined,
        stdout: withoutMachine(stdout, folder),
        stderr: withoutMachine(stderr, folder),
      });
    });
  });
}

function commandOf(app: App, { runner, preload }: Watch): string[] {
  if (app.language === "python") return ["python3", "-B", ...(runner === undefined ? [] : [runner]), app.entry];
  const loaded = preload === undefined ? [] : ["--import", preload];
  return [process.execPath, ...loaded, `--max-old-space-size=${memoryLimitMb}`, app.entry];
}

function withoutMachine(text: string, folder: string): string {
  return text.replaceAll(folder, "/app").replaceAll(encodeURI(folder), "/app").replaceAll("\r\n", "\n");
}
