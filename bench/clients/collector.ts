import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);
const builder = "go.opentelemetry.io/collector/cmd/builder@v0.161.0";
const readyText = "Everything is ready";

/** The version of the Collector that is built, as `collector/builder.yaml` names it. */
export const collectorVersion = "0.161.0";

/** Builds a Collector into a folder, unless one is there, and returns its program. The first time takes minutes. */
export async function builtCollector(folder: string): Promise<string> {
  const program = join(folder, "built/otelcol");
  const built = await stat(program).then(
    () => true,
    () => false,
  );
  if (built) return program;
  await mkdir(folder, { recursive: true });
  await cp(join(import.meta.dirname, "collector/builder.yaml"), join(folder, "builder.yaml"));
  await execute("go", ["run", builder, "--config=builder.yaml"], { cwd: folder, maxBuffer: 2 ** 26 });
  return program;
}

/** Starts a Collector with a configuration; resolves when it receives. */
export async function startCollector(
  program: string,
  configuration: string,
  environment: Record<string, string> = {},
): Promise<ChildProcess> {
  const env = { ...process.env, ...environment };
  const child = spawn(program, [`--config=${configuration}`], { env, stdio: ["ignore", "ignore", "pipe"] });
  let printed = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      if (printed.includes(readyText)) resolve();
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the Collector ended with ${code}:\n${printed}`)));
  });
  return child;
}

/** Ends a Collector; it passes on what it has first. */
export async function stopCollector(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
