import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { captureException, close, init } from "../../../src/index.ts";
import { startGateway, type TestGateway } from "../../gateway.ts";
import { eventually } from "../../polling.ts";

let gateway: TestGateway;
let base: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "whence-spool-test-"));
  gateway = await startGateway();
  // As a preload does.
  init({ apiKey: "k", endpoint: gateway.url, service: "preloaded", spool: base });
  return async () => {
    await close(1_000);
    await gateway.close();
    await rm(base, { recursive: true });
  };
});

/** Returns the only file of the spool; undefined when there isn't exactly one. */
async function onlyFile(): Promise<{ readonly name: string; readonly text: string } | undefined> {
  const folder = join(base, "whence-spool");
  const names = await readdir(folder).catch(() => []);
  const [name] = names;
  if (name === undefined || names.length > 1) return undefined;
  return { name, text: await readFile(join(folder, name), "utf8").catch(() => "") };
}

it("rewrites queued events under the name and with the hook of a later init", async () => {
  captureException(new Error("card 4111"));
  const before = await eventually(async () => {
    const file = await onlyFile();
    return file?.text.includes('"message":"card 4111"') && file;
  });
  init({
    apiKey: "k",
    service: "orders",
    beforeSend: (event) => ({ ...event, message: "no card", exceptions: [], breadcrumbs: [] }),
  });
  const after = await eventually(async () => {
    const file = await onlyFile();
    return file?.text.includes('"message":"no card"') && file;
  });
  expect(after.text).toContain('"service":"orders"');
  expect(after.text).not.toContain('"message":"card 4111"');
  expect(after.name.split(".")[0]).not.toBe(before.name.split(".")[0]);
});
