import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { DemoError } from "./demo-error.ts";
import { mainScript, type ShopService, shopFolder } from "./shop.ts";

const run = promisify(execFile);

/** A release of a service that changes one place in its code. */
export interface Deploy {
  readonly service: ShopService;
  /** The path below the shop's folder. */
  readonly file: string;
  /** A text that occurs there once. */
  readonly find: string;
  readonly replace: string;
  /** The subject of the commit. */
  readonly subject: string;
}

/** A service's code in a separate folder. */
export interface PreparedRelease {
  readonly service: ShopService;
  readonly release: string;
  readonly folder: string;
  /** The script that runs it. */
  readonly script: string;
}

const nextRelease = "2.0.0";

/** Creates a release: a copy of the service with the change, committed. The copy is deleted with `opened`. */
export async function prepareRelease(deploy: Deploy, opened: AsyncDisposableStack): Promise<PreparedRelease> {
  const { service, file, find, replace, subject } = deploy;
  const root = await mkdtemp(join(tmpdir(), "whence-release-"));
  opened.defer(() => rm(root, { recursive: true, force: true }));
  for (const part of [service, "package.json"]) await cp(join(shopFolder, part), join(root, part), { recursive: true });
  await symlink(join(shopFolder, "node_modules"), join(root, "node_modules"));
  const text = await readFile(join(root, file), "utf8");
  if (text.split(find).length !== 2) throw new DemoError(`${file} doesn't have ${JSON.stringify(find)} once`);
  await writeFile(join(root, file), text.replace(find, replace));
  const folder = join(root, service);
  await commit(folder, subject);
  return { service, release: nextRelease, folder, script: join(root, mainScript(service)) };
}

/** Commits the code, so that the report can name the author of a change. Without git, it names only the release. */
async function commit(folder: string, subject: string): Promise<void> {
  const author = ["-c", "user.name=Ada Lovelace", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false"];
  try {
    await run("git", ["init", "--quiet"], { cwd: folder });
    await run("git", ["add", "."], { cwd: folder });
    await run("git", [...author, "commit", "--quiet", "--no-verify", "--message", subject], { cwd: folder });
  } catch {
    // The demo doesn't need git.
  }
}
