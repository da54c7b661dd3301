import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const elliptic = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** All in PEM. */
export interface ClusterCertificates {
  readonly authority: string;
  readonly server: { readonly cert: string; readonly key: string };
  readonly client: { readonly cert: string; readonly key: string };
}

/**
 * Creates a certificate authority, as each cluster has one, with a certificate for 127.0.0.1 and some names, and a
 * client's.
 */
export async function makeCertificates(names: readonly string[] = ["cluster.example"]): Promise<ClusterCertificates> {
  const directory = await mkdtemp(join(tmpdir(), "whence-cluster-"));
  const path = (name: string): string => join(directory, name);
  const read = (name: string): Promise<string> => readFile(path(name), "utf8");
  const authority = ["-x509", ...elliptic, "-days", "2", "-subj", "/CN=cluster"];
  await run("openssl", ["req", ...authority, "-keyout", path("ca.key"), "-out", path("ca.crt")]);
  const sign = async (name: string, subject: string, extensions: string): Promise<{ cert: string; key: string }> => {
    await writeFile(path(`${name}.ext`), extensions);
    const request = [...elliptic, "-subj", subject, "-keyout", path(`${name}.key`), "-out", path(`${name}.csr`)];
    await run("openssl", ["req", ...request]);
    const by = ["-CA", path("ca.crt"), "-CAkey", path("ca.key"), "-CAcreateserial", "-days", "2"];
    const files = ["-in", path(`${name}.csr`), "-out", path(`${name}.crt`), "-extfile", path(`${name}.ext`)];
    await run("openssl", ["x509", "-req", ...by, ...files]);
    return { cert: await read(`${name}.crt`), key: await read(`${name}.key`) };
  };
  const server = await sign(
    "server",
    "/CN=apiserver",
    `subjectAltName=${["IP:127.0.0.1", ...names.map((one) => `DNS:${one}`)].join()}\n`,
  );
  const client = await sign("client", "/CN=whence", "extendedKeyUsage=clientAuth\n");
  const made = { authority: await read("ca.crt"), server, client };
  await rm(directory, { recursive: true });
  return made;
}
