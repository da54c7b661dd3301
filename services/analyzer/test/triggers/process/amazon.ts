import { execFile } from "node:child_process";
import { createSign } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const subject = [
  "-subj",
  "/CN=sns.eu-west-1.amazonaws.com",
  "-addext",
  "subjectAltName=DNS:sns.eu-west-1.amazonaws.com",
];

/** A double of SNS that serves its signing certificate, and what a server process needs to reach it as if it were SNS. */
export interface Amazon {
  readonly environment: Readonly<Record<string, string>>;
  readonly flags: readonly string[];
  sign(text: string): string;
  close(): Promise<void>;
}

export async function startAmazon(): Promise<Amazon> {
  const folder = await mkdtemp(join(tmpdir(), "whence-amazon-"));
  const [keyFile, certificateFile] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const kind = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject];
  await run("openssl", ["req", ...kind, "-keyout", keyFile, "-out", certificateFile]);
  const [key, cert] = await Promise.all([readFile(keyFile, "utf8"), readFile(certificateFile, "utf8")]);
  const server = createServer({ key, cert }, (_request, response) => void response.end(cert));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    environment: { NODE_EXTRA_CA_CERTS: certificateFile, AMAZON_PORT: String(port) },
    flags: ["--import", join(import.meta.dirname, "../../programs/reach-amazon.ts")],
    sign: (text) => createSign("RSA-SHA256").update(text).sign(key, "base64"),
    async close() {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
