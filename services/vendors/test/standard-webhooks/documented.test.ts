import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { notificationSchema } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mintWebhookSecret, signatureHeaders } from "../../src/standard-webhooks/signature.ts";

const run = promisify(execFile);
const secret = mintWebhookSecret();
const body = JSON.stringify({ title: "größer 🜁" });

let page: string;
let directory: string;
beforeAll(async () => {
  page = await readFile(join(import.meta.dirname, "../../../../docs/notifications.md"), "utf8");
  directory = await mkdtemp(join(tmpdir(), "whence-documented-"));
});
afterAll(() => rm(directory, { recursive: true }));

const blockOf = (language: string): string => page.split(`\`\`\`${language}\n`)[1]?.split("```")[0] ?? "";

/** How a receiver judges a message as it was sent, with another body, and replayed an hour later. */
const messages = (): { headers: Record<string, string>; body: string }[] => {
  const headers = signatureHeaders(secret, "ntf_1", body, Date.now());
  const old = signatureHeaders(secret, "ntf_1", body, Date.now() - 3_600_000);
  return [
    { headers, body },
    { headers, body: `${body} ` },
    { headers: old, body },
    { headers: { ...old, "webhook-timestamp": headers["webhook-timestamp"] ?? "" }, body },
  ];
};

describe("docs/notifications.md", () => {
  it("shows a message as it is sent", () => {
    expect(notificationSchema.safeParse(JSON.parse(blockOf("json"))).error).toBeUndefined();
  });

  it("verifies a signature in Node.js", async () => {
    const file = join(directory, "verify.mjs");
    await writeFile(file, blockOf("js"));
    const { isGenuine } = await import(pathToFileURL(file).href);
    expect(messages().map((message) => isGenuine(secret, message.headers, message.body))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it("verifies a signature in Python", async () => {
    const call = `import json, sys
secret, messages = json.loads(sys.argv[1])
print(json.dumps([is_genuine(secret, one["headers"], one["body"].encode()) for one in messages]))`;
    const { stdout } = await run("python3", [
      "-c",
      `${blockOf("python")}\n${call}`,
      JSON.stringify([secret, messages()]),
    ]);
    expect(JSON.parse(stdout)).toEqual([true, false, false, false]);
  });
});
