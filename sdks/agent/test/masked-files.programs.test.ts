import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { WhenceClient } from "../src/index.ts";
import { temporaryFolder, whence } from "./whence-command.ts";

const jwt = ["ey", "JhbGciOiJIUzI1NiJ9.ey", "JzdWIiOiIxMjM0NTY3ODkwIn0.", "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"].join("");
const secrets = ["hunter2", "s3cr3t", jwt];
const code = `connect("postgres://app:${secrets[0]}@db/shop");
const password = "${secrets[1]}";
export const session = "${jwt}";
throw new Error("no connection");
`;
const errorText = "Error: no connection for app\n    at open (/srv/src/db.js:4:7)\n";
const sha256 = (content: string) => createHash("sha256").update(content).digest("hex");

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: Server;
let url: string;
/** The bodies sent, by method and path. */
const sent = new Map<string, string>();

/** Accepts uploads, and reports contents as missing until they were sent. */
function answerTo(request: string): object {
  if (request === "POST /api/mcp/analyze") return { incident_id: "inc_1", status: "queued", url: `${url}/inc_1` };
  if (request === "POST /api/sources/contents") return { stored: 1 };
  const { files }: { files: { sha256: string }[] } = JSON.parse(sent.get(request) ?? "");
  const stored = sent.has("POST /api/sources/contents");
  return { stored, missing: stored ? [] : files.map((file) => file.sha256) };
}

beforeAll(async () => {
  folder = await temporaryFolder();
  await mkdir(join(folder.path, "src"));
  await writeFile(join(folder.path, "src/db.js"), code);
  service = createServer(async (incoming, response) => {
    const request = `${incoming.method} ${incoming.url}`;
    sent.set(request, await text(incoming));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answerTo(request)));
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const { port } = service.address() as AddressInfo;
  url = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  service.close();
  await folder.remove();
});
beforeEach(() => sent.clear());

const run = (args: readonly string[], input = "") =>
  whence(args, { home: folder.path, input, env: { WHENCE_URL: url, WHENCE_API_KEY: "whk_1" } });

/** Expects every secret to be masked, with every line and column unchanged. */
function expectMasked(content: string): void {
  expect(content).toBe(secrets.reduce((rest, secret) => rest.replace(secret, "*".repeat(secret.length)), code));
}

it.each([[["--auto"]], [["--file", "src/db.js"]]])(
  "whence rca masks credentials in files attached by %s",
  async (how) => {
    const { code: exit, stderr } = await run(["rca", "-", ...how], errorText);
    expect([exit, stderr]).toEqual([0, expect.stringContaining("Masked a credential in 1 file: src/db.js (")]);
    const { error_log, files } = JSON.parse(sent.get("POST /api/mcp/analyze") ?? "");
    expect(error_log).toBe(errorText);
    expect(files).toHaveLength(1);
    expectMasked(files[0].content);
  },
);

it("the client masks credentials in the files it is given, and so does everything that uses it", async () => {
  await new WhenceClient({ url, apiKey: "whk_1" }).analyze({
    error_log: errorText,
    files: [{ name: "db.js", content: code }],
  });
  expectMasked(JSON.parse(sent.get("POST /api/mcp/analyze") ?? "").files[0].content);
});

it("whence sources upload masks credentials, and lists what it sends", async () => {
  const { code: exit, stdout } = await run(["sources", "upload", "--service", "a", "--release", "1", "--json"]);
  expect([exit, JSON.parse(stdout).masked]).toEqual([0, { "src/db.js": expect.any(String) }]);
  const [content] = JSON.parse(sent.get("POST /api/sources/contents") ?? "").contents;
  expectMasked(content);
  expect(JSON.parse(sent.get("PUT /api/sources") ?? "").files).toEqual([
    { path: "src/db.js", sha256: sha256(content) },
  ]);
});
