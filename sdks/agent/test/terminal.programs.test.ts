import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../../../test/servers/free-port.ts";
import { bootstrapKey, type ServerProcess, startServerProcess } from "../../../test/servers/server-process.ts";
import { runCommandLine } from "../src/command-line.ts";
import type { Output } from "../src/commands/command.ts";
import { styleFor } from "../src/terminal/style.ts";
import { temporaryFolder } from "./whence-command.ts";

let data: Awaited<ReturnType<typeof temporaryFolder>>;
let server: ServerProcess;
beforeAll(async () => {
  data = await temporaryFolder();
  server = await startServerProcess(data.path, await freePort());
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await data?.remove();
});

/** Returns what is written to a terminal or to a pipe. */
async function written(isTerminal: boolean, hasColors: boolean): Promise<{ stdout: string; stderr: string }> {
  const texts = { stdout: "", stderr: "" };
  const output = (name: keyof typeof texts): Output => ({
    isTerminal,
    columns: 80,
    style: styleFor(hasColors),
    write: (text) => {
      texts[name] += text;
    },
  });
  await runCommandLine(["rca", "-", "--wait"], {
    cwd: data.path,
    home: data.path,
    environment: { url: server.url, apiKey: bootstrapKey, variables: {} },
    stdin: { isTerminal: false, read: async () => Buffer.from("Error: boom\n    at f (/a/b.js:1:1)\n") },
    stdout: output("stdout"),
    stderr: output("stderr"),
    signal: new AbortController().signal,
  });
  return texts;
}

it("a terminal gets each step and colors, a pipe only the report", async () => {
  const watched = await written(true, true);
  expect(watched.stderr).toMatch(/parse .+\n.*locate /);
  expect(watched.stdout).toContain("\u001b[1mRoot cause\u001b[22m");
  const piped = await written(false, false);
  expect(piped.stderr).toBe("");
  expect(piped.stdout).toContain("\nRoot cause\n");
  expect(piped.stdout).not.toContain("\u001b");
});

it("a reader that stops early, as head does, is no failure", async () => {
  const main = new URL("../src/main.ts", import.meta.url).pathname;
  const command = `"${process.execPath}" --conditions=@whence/source "${main}" completion bash | head -n 1; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await promisify(execFile)("bash", ["-c", command]);
  expect(stdout).toBe("_whence() {\n0\n");
  expect(stderr).toBe("");
});
