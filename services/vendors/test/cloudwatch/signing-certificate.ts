import { execFile } from "node:child_process";
import { createSign } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A certificate of our own for SNS, valid for two days from now, and its key. */
export interface SigningCertificate {
  readonly certificate: string;
  sign(version: string, signed: string): string;
}

export async function makeSigningCertificate(): Promise<SigningCertificate> {
  const directory = await mkdtemp(join(tmpdir(), "whence-sns-"));
  const [keyFile, certificateFile] = [join(directory, "key.pem"), join(directory, "certificate.pem")];
  const kind = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=sns.amazonaws.com"];
  await run("openssl", ["req", ...kind, "-keyout", keyFile, "-out", certificateFile]);
  const [key, certificate] = await Promise.all([readFile(keyFile, "utf8"), readFile(certificateFile, "utf8")]);
  await rm(directory, { recursive: true });
  return {
    certificate,
    sign: (version, signed) =>
      createSign(version === "1" ? "RSA-SHA1" : "RSA-SHA256")
        .update(signed)
        .sign(key, "base64"),
  };
}
