import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { freePort } from "./free-port.ts";
import { findProgram } from "./programs.ts";

const run = promisify(execFile);
const debianPackage = "postgresql";
const user = "whence";
/** Not a secret, but unusual enough to be found wherever it should not be. */
const password = "pw-of-the-test-server";
const readyLine = "database system is ready to accept connections";
const lastLinesKept = 20;

/** `fast` ends sessions and writes pending data; `immediate` crashes and recovers at the next start. */
export type RestartMode = "fast" | "immediate";
const stopSignals = { fast: "SIGINT", immediate: "SIGQUIT" } as const;

/** A PostgreSQL server on the loopback interface that ends with this process at the latest. */
export interface PostgresServer {
  /** The URL of the server's first database. */
  readonly url: string;
  /** Returns the URL of a new database. */
  database(): Promise<string>;
  /** Stops the server, awaits `meanwhile`, and restarts it on the same port. */
  restart(mode: RestartMode, meanwhile?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/** The identity of an unprivileged user: PostgreSQL doesn't run as root. */
interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * Starts PostgreSQL on a new, empty folder. Its databases sort text by language, as many servers do, so that a query
 * which relies on byte order has to say so. Throws an error that names the Debian package when it isn't installed.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const account = await unprivileged();
  const folder = await mkdtemp(join(tmpdir(), "whence-postgres-"));
  if (account.uid !== undefined && account.gid !== undefined) await chown(folder, account.uid, account.gid);
  const data = join(folder, "data");
  await initialize(folder, data, account);
  const port = await freePort();
  let server = await start(data, port, account);
  const killed = (): void => void server.kill("SIGQUIT");
  process.once("exit", killed);
  let databases = 0;
  const url = (name: string): string => `postgres://${user}:${password}@127.0.0.1:${port}/${name}`;
  return {
    url: url("postgres"),
    async database() {
      databases += 1;
      const name = `test_${databases}`;
      const where = ["-h", "127.0.0.1", "-p", String(port), "-U", user];
      await run(findProgram("createdb", debianPackage), [...where, name], {
        env: { ...process.env, PGPASSWORD: password },
      });
      return url(name);
    },
    async restart(mode, meanwhile = async () => undefined) {
      await end(server, stopSignals[mode]);
      await meanwhile();
      server = await start(data, port, account);
    },
    async stop() {
      process.off("exit", killed);
      await end(server, stopSignals.immediate);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function initialize(folder: string, data: string, account: Account): Promise<void> {
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, password);
  await chmod(passwordFile, 0o644);
  const order = ["--encoding=UTF8", "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US"];
  const access = [`--username=${user}`, `--pwfile=${passwordFile}`, "--auth=scram-sha-256"];
  await run(
    findProgram("initdb", debianPackage),
    [`--pgdata=${data}`, ...order, ...access, "--no-sync", "--no-instructions"],
    { ...account, cwd: folder },
  );
}

/** Resolves when it accepts connections; rejects with its last lines when it ends first. */
async function start(data: string, port: number, account: Account): Promise<ChildProcess> {
  const settings = ["listen_addresses=127.0.0.1", `port=${port}`, "unix_socket_directories=", "shared_buffers=16MB"];
  const child = spawn(
    findProgram("postgres", debianPackage),
    ["-D", data, ...settings.flatMap((setting) => ["-c", setting])],
    { ...account, cwd: data, stdio: ["ignore", "ignore", "pipe"] },
  );
  const lines: string[] = [];
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`PostgreSQL ended at its start:\n${lines.join("\n")}`)));
    createInterface(child.stderr).on("line", (line) => {
      lines.push(line);
      if (lines.length > lastLinesKept) lines.shift();
      if (line.includes(readyLine)) resolve();
    });
  });
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

async function unprivileged(): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const users = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  const found = users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody");
  if (!found)
    throw new Error("PostgreSQL does not run as root, and there is no user `postgres` or `nobody` to run it as");
  return { uid: Number(found[2]), gid: Number(found[3]) };
}
