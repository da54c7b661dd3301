import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clientLimits } from "../src/client-limits.ts";
import type { AgentEntry, Credentials } from "../src/credentials.ts";
import { credentialsFile } from "../src/credentials-file.ts";
import { temporaryFolder } from "./whence-command.ts";

let temporary: Awaited<ReturnType<typeof temporaryFolder>>;
let folder: string;
let path: string;

beforeEach(async () => {
  temporary = await temporaryFolder();
  folder = join(temporary.path, ".whence");
  path = join(folder, "credentials.json");
});
afterEach(() => temporary.remove());

const entry: AgentEntry = {
  agent_id: "agt_1",
  api_key: "wha_1",
  claim_token: "whc_1",
  claim_url: "http://a/login?claim=whc_1",
  expires_at: "2026-03-04T12:00:00.000Z",
  source: "test",
  registered_at: "2026-03-01T12:00:00.000Z",
  history: [],
};
const credentials: Credentials = { version: 1, services: { "http://a": entry, "https://b/whence": entry } };

async function store(): Promise<void> {
  const file = credentialsFile(folder);
  await file.makeFolder();
  await file.write(credentials);
}

describe("the credentials file", () => {
  it("is empty at first, and later has one agent for each service address", async () => {
    expect(await credentialsFile(folder).read()).toEqual({ version: 1, services: {} });
    await store();
    expect(await credentialsFile(folder).read()).toEqual(credentials);
  });

  // requirement: auth.agent-credentials-file
  it("and its folder are accessible to the owner only", async () => {
    await store();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("leaves no temporary file when it is rewritten", async () => {
    await store();
    await store();
    expect(await readdir(folder)).toEqual(["credentials.json"]);
  });

  it("is complete for readers while it is being written", async () => {
    await store();
    const file = credentialsFile(folder);
    const writing = (async () => {
      for (let count = 0; count < 50; count += 1) await file.write(credentials);
    })();
    for (let count = 0; count < 200; count += 1) expect(await file.read()).toEqual(credentials);
    await writing;
  });

  it.each([0o640, 0o604, 0o620, 0o660, 0o666])(
    "is rejected with a one-line message when its mode is %o",
    async (mode) => {
      await store();
      await chmod(path, mode);
      const said = `others can read ${path} (its mode is ${mode.toString(8)}): run chmod 600 ${path}`;
      await expect(credentialsFile(folder).read()).rejects.toMatchObject({
        code: "WHENCE_ERR_CREDENTIALS_OPEN",
        message: said,
      });
    },
  );

  it("is rejected, before anything is written, when others can access its folder", async () => {
    await mkdir(folder, { mode: 0o755 });
    await chmod(folder, 0o755);
    const refused = { code: "WHENCE_ERR_CREDENTIALS_OPEN", message: expect.stringContaining(`chmod 700 ${folder}`) };
    await expect(credentialsFile(folder).read()).rejects.toMatchObject(refused);
    await expect(credentialsFile(folder).makeFolder()).rejects.toMatchObject(refused);
  });

  it.each([
    ["no JSON", "{"],
    ["no object", "[]"],
    ["another version", '{"version":2,"services":{}}'],
    ["no services", '{"version":1}'],
    ["half an agent", '{"version":1,"services":{"http://a":{"agent_id":"agt_1"}}}'],
    ["too large", " ".repeat(clientLimits.credentialsBytesMax + 1)],
  ])("is left unchanged when it holds %s", async (_, text) => {
    await store();
    await writeFile(path, text);
    await expect(credentialsFile(folder).read()).rejects.toMatchObject({ code: "WHENCE_ERR_CREDENTIALS_DAMAGED" });
    expect(await readFile(path, "utf8")).toBe(text);
  });

  it("reports why it can't be used", async () => {
    await writeFile(join(temporary.path, "file"), "");
    const inside = credentialsFile(join(temporary.path, "file", ".whence"));
    await expect(inside.makeFolder()).rejects.toMatchObject({
      code: "WHENCE_ERR_CREDENTIALS_UNUSABLE",
      message: expect.stringContaining("ENOTDIR"),
    });
  });
});
