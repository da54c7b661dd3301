import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../../../../test/servers/free-port.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { runtimeNamed } from "../runtimes.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { variantFolder } from "./installed-programs.ts";
import { type MatrixProgram, orderIds } from "./matrix-program.ts";
import { maskedLines } from "./printed-lines.ts";
import { type Ending, type ProgramProcess, startProcess } from "./program-process.ts";

/** Without the client, with the client only preloaded, and with it in the code. */
export type Mode = "bare" | "zero-code" | "coded";

/** The responses and output of one run, and how it ended. */
export interface Behavior extends Ending {
  readonly answers: readonly string[];
  /** Sorted, since two orders are placed concurrently. */
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

/** One run, and what the client sent. */
export interface Run {
  readonly behavior: Behavior;
  readonly batches: TestGateway["batches"];
}

/** An orderly exit, which third-party programs rarely have, once work after a response, such as logging, is done. */
const endsWell = "process.on('SIGUSR2', () => setTimeout(() => process.exit(0), 50))";
const endsWellFlag = `data:text/javascript,${encodeURIComponent(endsWell)}`;

/** Runs what a program needs before its first start, such as a build. */
export async function prepareProgram(folder: string, program: MatrixProgram): Promise<void> {
  if (program.prepare === undefined) return;
  for (const variant of ["plain", "coded"] as const) {
    const cwd = variantFolder(folder, program, variant);
    const args = program.prepare.map((argument) => resolved(folder, program, argument));
    await promisify(execFile)(process.execPath, args, { cwd, env: { PATH: process.env.PATH } });
  }
}

/** Starts a program, makes two concurrent orders fail in it, and ends it in an orderly way. */
export async function runProgram(folder: string, program: MatrixProgram, runtime: string, mode: Mode): Promise<Run> {
  const gateway = await startGateway();
  const port = await freePort();
  const running = startProgram(folder, program, runtime, mode, { port, endpoint: gateway.url });
  const masked = (text: string): string[] => maskedLines(text, port, folder);
  try {
    const answers = await placeOrders(program, running, port);
    running.kill("SIGUSR2");
    const ending = await running.ended;
    const behavior = {
      ...ending,
      answers: answers.map((answer) => masked(answer).join("\n")),
      stdout: masked(running.text.stdout).sort(),
      stderr: masked(running.text.stderr).sort(),
    };
    return { behavior, batches: gateway.batches };
  } catch (error) {
    const { stdout, stderr } = running.text;
    throw new Error(`${program.name}, ${mode}: ${String(error)}\n${stdout}\n${stderr}`, { cause: error });
  } finally {
    running.kill("SIGKILL");
    await running.ended;
    await gateway.close();
  }
}

function startProgram(
  folder: string,
  program: MatrixProgram,
  runtime: string,
  mode: Mode,
  { port, endpoint }: { port: number; endpoint: string },
): ProgramProcess {
  const client = join(folder, "..", "node_modules", "@whence", "node", "dist", "register.js");
  const preload = mode === "zero-code" ? ["--import", client] : [];
  const args = program.start.map((argument) =>
    argument === "PORT" ? String(port) : resolved(folder, program, argument),
  );
  return startProcess(runtimeNamed(runtime).path, ["--import", endsWellFlag, ...preload, ...args], {
    cwd: variantFolder(folder, program, mode === "coded" ? "coded" : "plain"),
    env: {
      PATH: process.env.PATH,
      TMPDIR: temporaryFolder(),
      HOME: folder,
      NO_COLOR: "1",
      PORT: String(port),
      ...(mode === "bare" ? {} : { WHENCE_API_KEY: "whk_test", WHENCE_ENDPOINT: endpoint }),
    },
  });
}

/**
 * Places the orders. The second one begins once the first is in progress, so that each run serves them in the same
 * order.
 */
async function placeOrders(program: MatrixProgram, running: ProgramProcess, port: number): Promise<string[]> {
  if (program.trigger.kind === "http" || program.trigger.listens) await running.listensOn(port);
  const answers: Promise<string>[] = [];
  for (const id of orderIds) {
    answers.push(placeOrder(program, id, running, port));
    await running.printed(`order ${id}`);
  }
  return await Promise.all(answers);
}

async function placeOrder(
  { trigger }: MatrixProgram,
  id: string,
  { printed }: ProgramProcess,
  port: number,
): Promise<string> {
  if (trigger.kind === "other") return await trigger.place(id, { port, printed });
  const body = trigger.body?.(id);
  const response = await fetch(`http://127.0.0.1:${port}${trigger.path(id)}`, {
    method: trigger.method,
    ...(body === undefined ? {} : { body, headers: { "content-type": "application/json" } }),
  });
  return `${response.status} ${await response.text()}`;
}

/** Resolves a file of a package, which is in the program's own folder where versions differ between programs. */
function resolved(folder: string, { name }: MatrixProgram, argument: string): string {
  if (!argument.startsWith("node_modules/")) return argument;
  const own = join(folder, name, argument);
  return existsSync(own) ? own : join(folder, argument);
}
