import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommandLine } from "../src/command-line.ts";
import type { Output } from "../src/commands/command.ts";
import { styleFor } from "../src/terminal/style.ts";
import type { Ended } from "./whence-command.ts";

/** Runs a command line that never calls a service. `input` is null at a terminal. */
async function inProcess(args: readonly string[], input: string | null = ""): Promise<Ended> {
  const written = { stdout: "", stderr: "" };
  const output = (name: keyof typeof written): Output => ({
    isTerminal: false,
    columns: 80,
    style: styleFor(false),
    write: (text) => {
      written[name] += text;
    },
  });
  const code = await runCommandLine(args, {
    cwd: import.meta.dirname,
    home: "/nonexistent",
    environment: { url: "http://127.0.0.1:1", apiKey: undefined, variables: {} },
    stdin: { isTerminal: input === null, read: async () => Buffer.from(input ?? "") },
    stdout: output("stdout"),
    stderr: output("stderr"),
    signal: new AbortController().signal,
  });
  return { code, ...written };
}

describe("wrong usage", () => {
  it.each([
    [["rca", "missing.log"], "missing.log can't be read: ENOENT"],
    [["rca", "-", "--file", "missing.js"], "missing.js can't be read"],
    [["rca", "-", "--file", "."], ". isn't a file"],
    [["rca", "-", "--what"], "Unknown option '--what'"],
    [["rca", "a", "b"], "name only one error file"],
    [["rca", "-", "--json", "--markdown"], "either --json or --markdown"],
    [["frobnicate"], 'unknown command "frobnicate"'],
    [["status", "now"], "takes no arguments"],
    [["register", "--source", ""], "--source takes 1 to 50 characters"],
    [["register", "--source", "x".repeat(51)], "--source takes 1 to 50 characters"],
    [["completion", "tcsh"], "name a shell:"],
  ])("exits with 2 and says what is wrong: %j", async (args, said) => {
    const { code: exit, stderr, stdout } = await inProcess(args, "E");
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
    expect(stderr).toContain(said);
  });

  it("exits with 2 when there is nothing to analyze", async () => {
    expect(await inProcess(["rca"], " \n")).toMatchObject({ code: 2, stderr: expect.stringContaining("empty") });
    expect(await inProcess(["rca"], null)).toMatchObject({ code: 2, stderr: expect.stringContaining("pipe one in") });
    expect((await inProcess([], "")).code).toBe(2);
  });
});

describe("the help", () => {
  it.each(["rca", "register", "status", "claim", "verify", "mcp", "completion"])(
    "has %s, in two ways",
    async (command) => {
      const helped = await inProcess(["help", command]);
      expect(helped).toMatchObject({ code: 0, stdout: expect.stringContaining(`Usage: whence ${command}`) });
      expect((await inProcess([command, "--help"])).stdout).toBe(helped.stdout);
    },
  );

  it("lists every command, and the package's version", async () => {
    expect((await inProcess(["--help"])).stdout).toContain("WHENCE_API_KEY");
    const { version } = JSON.parse(await readFile(join(import.meta.dirname, "../package.json"), "utf8"));
    expect((await inProcess(["--version"])).stdout).toBe(`${version}\n`);
  });
});
