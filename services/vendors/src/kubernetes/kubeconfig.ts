import { parse } from "yaml";
import { z } from "zod";
import { VendorFailure } from "../http/vendor-failure.ts";

/** The parts of a kubeconfig's current context that are used. */
export interface ClusterAccess {
  /** As named in the kubeconfig. */
  readonly cluster: string;
  readonly server: URL;
  /** The only namespace that is queried; null for all. */
  readonly namespace: string | null;
  readonly token: string | null;
  readonly tls: {
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
    readonly servername?: string;
  };
}

const text = z.string().nullish();
const clusterSchema = z.object({
  server: z.string(),
  "certificate-authority-data": text,
  "tls-server-name": text,
  "certificate-authority": text,
  "proxy-url": text,
  "insecure-skip-tls-verify": z.boolean().nullish(),
});
const userSchema = z.object({
  token: text,
  "client-certificate-data": text,
  "client-key-data": text,
  "client-certificate": text,
  "client-key": text,
  tokenFile: text,
  exec: z.unknown().optional(),
  "auth-provider": z.unknown().optional(),
  as: text,
});

/** https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/ */
const kubeconfigSchema = z.object({
  "current-context": text,
  clusters: z.array(z.object({ name: z.string(), cluster: z.unknown().optional() })),
  users: z.array(z.object({ name: z.string(), user: z.unknown().optional() })),
  contexts: z.array(
    z.object({ name: z.string(), context: z.object({ cluster: z.string(), user: z.string(), namespace: text }) }),
  ),
});

/**
 * Reads the current context of a kubeconfig. Throws a {@link VendorFailure} for one that makes this service run a program,
 * read a file of its own, go through a proxy, or talk to a server that it can't authenticate.
 */
export function readKubeconfig(content: string): ClusterAccess {
  const config = parseAs(kubeconfigSchema, parseYaml(content), "clusters, users, and contexts");
  const { context } = currentContext(config);
  const found = config.clusters.find(({ name }) => name === context.cluster);
  if (!found) throw invalid(`has no cluster ${context.cluster}, which its current context names`);
  const user = config.users.find(({ name }) => name === context.user);
  if (!user) throw invalid(`has no user ${context.user}, which its current context names`);
  const cluster = parseAs(clusterSchema, found.cluster, `a server for the cluster ${found.name}`);
  const { server, servername, ca } = readCluster(cluster, found.name);
  const { token, ...certificate } = readUser(parseAs(userSchema, user.user ?? {}, `a user ${user.name}`), user.name);
  return {
    cluster: found.name,
    server,
    namespace: context.namespace || null,
    token,
    tls: { ...(ca === null ? {} : { ca }), ...(servername === null ? {} : { servername }), ...certificate },
  };
}

function parseYaml(content: string): unknown {
  try {
    return parse(content);
  } catch {
    throw invalid("is neither YAML nor JSON");
  }
}

function parseAs<Schema extends z.ZodType>(schema: Schema, value: unknown, needed: string): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(`lacks ${needed}, or has them in another form than kubectl writes`);
}

function currentContext(
  config: z.infer<typeof kubeconfigSchema>,
): z.infer<typeof kubeconfigSchema>["contexts"][number] {
  const { contexts, "current-context": current } = config;
  const [only] = contexts;
  if (!current && only && contexts.length === 1) return only;
  const found = contexts.find(({ name }) => name === current);
  if (!found) throw invalid("has no current context: write one with kubectl config view --raw --flatten --minify");
  return found;
}

function readCluster(
  cluster: z.infer<typeof clusterSchema>,
  name: string,
): { server: URL; servername: string | null; ca: string | null } {
  const of = `the cluster ${name}`;
  refuseFile(cluster["certificate-authority"], "certificate-authority", of);
  if (cluster["proxy-url"]) throw invalid(`sends ${of} through a proxy (proxy-url), which this service doesn't use`);
  if (cluster["insecure-skip-tls-verify"]) {
    throw invalid(
      `doesn't check who answers for ${of} (insecure-skip-tls-verify): give certificate-authority-data instead`,
    );
  }
  const server = URL.parse(cluster.server);
  if (server?.protocol !== "https:" || server.username !== "" || server.password !== "") {
    throw invalid(`has a server for ${of} that isn't an https:// URL without credentials`);
  }
  server.search = "";
  server.hash = "";
  const authority = cluster["certificate-authority-data"];
  return { server, servername: cluster["tls-server-name"] || null, ca: authority ? decoded(authority) : null };
}

function readUser(
  user: z.infer<typeof userSchema>,
  name: string,
): { token: string | null; cert?: string; key?: string } {
  const of = `the user ${name}`;
  for (const plugin of ["exec", "auth-provider"] as const) {
    if (user[plugin]) {
      throw invalid(
        `signs ${of} in by running a program (${plugin}), which this service doesn't do: use the token of a service account`,
      );
    }
  }
  for (const file of ["client-certificate", "client-key", "tokenFile"] as const) refuseFile(user[file], file, of);
  if (user.as) throw invalid(`has ${of} act as someone else (as), which this service doesn't do`);
  const { token, "client-certificate-data": cert, "client-key-data": key } = user;
  if (token && /[\r\n]/.test(token.trim())) throw invalid(`has a token of ${of} on several lines`);
  if (token) return { token: token.trim() };
  if (cert && key) return { token: null, cert: decoded(cert), key: decoded(key) };
  throw invalid(`has neither a token nor a client certificate with its key for ${of}`);
}

function refuseFile(path: string | null | undefined, field: string, of: string): void {
  if (!path) return;
  throw invalid(
    `names a file for ${of} (${field}), which isn't on this service: write its content with kubectl config view --raw --flatten`,
  );
}

function decoded(base64: string): string {
  return Buffer.from(base64, "base64").toString("utf8");
}

function invalid(what: string): VendorFailure {
  return new VendorFailure("invalid-input", `the kubeconfig ${what}`);
}
