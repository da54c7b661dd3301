import { type ChildProcess, spawn } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStorage } from "../src/index.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const program = join(import.meta.dirname, "programs/use-storage.ts");

/** Starts the program on the directory; `line` resolves once it has printed so many lines, or has ended. */
function start(dataDirectory: string): { child: ChildProcess; lines: (count: number) => Promise<string[]> } {
  const child = spawn(process.execPath, ["--conditions=@whence/source", program, dataDirectory]);
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  let more = Promise.withResolvers<void>();
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
    more.resolve();
    more = Promise.withResolvers();
  });
  child.on("close", () => more.resolve());
  const printed = (): string[] => output.split("\n").slice(0, -1);
  const lines = async (count: number): Promise<string[]> => {
    while (printed().length < count && child.exitCode === null && child.signalCode === null) {
      await more.promise;
    }
    return printed();
  };
  return { child, lines };
}

describe("openStorage", () => {
  it("has every event whose insert resolved before a kill -9, once, and takes the directory over", async () => {
    const dataDirectory = join(temporaryDirectory(), "data");
    const { child, lines } = start(dataDirectory);
    await lines(30);
    const closed = new Promise((resolve) => child.on("close", resolve));
    child.kill("SIGKILL");
    await closed;
    const ids = (await lines(0)).slice(1);
    expect(ids.length).toBeGreaterThan(20);

    const storage = await openStorage({ dataDirectory });
    onTestFinished(() => storage.close());
    const scoped = storage.events.forScope("org_killed");
    const found = await scoped.find({ from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z", limit: 10_000 });
    const foundIds = new Set(found.map(({ event }) => event.id));
    expect(foundIds.size).toBe(found.length);
    expect(ids.filter((id) => !foundIds.has(id))).toEqual([]);
    // The batch in flight may have reached one table and not the other; its sender retries it.
    const counted = (await scoped.failure("v1:killed"))?.events ?? 0;
    expect(counted).toBeGreaterThanOrEqual(ids.length);
    expect(counted).toBeLessThanOrEqual(found.length);
  });

  it("creates the directory for its owner only, and refuses another process while it is open", async () => {
    const dataDirectory = join(temporaryDirectory(), "data");
    const { child, lines } = start(dataDirectory);
    await lines(1);
    expect(statSync(dataDirectory).mode & 0o777).toBe(0o700);
    await expect(openStorage({ dataDirectory })).rejects.toMatchObject({
      code: "WHENCE_ERR_DATA_DIRECTORY_IN_USE",
      message: expect.stringMatching(new RegExp(`${dataDirectory}.*process ${child.pid}\\b`)),
    });
  });
});
