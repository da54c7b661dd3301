import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commands } from "../src/command-line.ts";
import { temporaryFolder, whence } from "./whence-command.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

const script = async (shell: string) => (await whence(["completion", shell], { home: folder.path })).stdout;

/** Returns what bash offers after these words; the last one is still being typed. */
async function offered(words: readonly string[]): Promise<string[]> {
  await writeFile(join(folder.path, "whence.bash"), await script("bash"));
  await writeFile(join(folder.path, "error.log"), "");
  const program = `source ./whence.bash; COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _whence; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)("bash", ["-c", program], { cwd: folder.path });
  return stdout.split("\n").filter((line) => line !== "");
}

describe("the completion for bash", () => {
  it("offers the commands, their options, and files where a file is expected", async () => {
    expect(await offered(["whence", "reg"])).toEqual(["register"]);
    expect(await offered(["whence", "rca", "--a"])).toEqual(["--auto"]);
    expect(await offered(["whence", "rca", "err"])).toEqual(["error.log"]);
    expect(await offered(["whence", "rca", "--file", "err"])).toEqual(["error.log"]);
    expect(await offered(["whence", "completion", "fi"])).toEqual(["fish"]);
  });
});

describe.each(["bash", "zsh", "fish"])("the completion for %s", (shell) => {
  it("has every command and every option", async () => {
    const text = await script(shell);
    for (const { name, options } of commands) {
      expect(text).toContain(name);
      for (const option of Object.keys(options))
        expect(text).toContain(shell === "fish" ? `-l ${option}` : `--${option}`);
    }
  });
});
