/** Words that a target's name adds to the name of the service. */
const generic: ReadonlySet<string> = new Set(["service", "svc", "app", "application", "deployment", "project"]);
/** The names that vendors give to production environments. */
const production: readonly string[] = ["prod", "production", "live"];
const others: readonly string[] = ["staging", "stage", "dev", "development", "test", "qa", "preview", "sandbox"];
/** First labels of hostnames that don't say which service answers. */
const roles: ReadonlySet<string> = new Set(["api", "www", "app", "gateway", "gw", "edge", "auth", "rest", "eu", "us"]);
/** The characters of the generated parts of Kubernetes names. */
const generated = /^(?:[bcdfghjklmnpqrstvwxz2456789]{5,10}|(?=[a-z]*\d)(?!v\d+$)[a-z\d]{4,10}|\d{1,3})$/;
const generatedPartsMax = 2;

/**
 * Returns whether a vendor's target is a service in this environment: its project, its workload, or one of its pods.
 */
export function namesService(target: string, service: string, env: string | null): boolean {
  const { path, name } = partsOf(target);
  if (name === "" || path.some((part) => isOtherEnvironment(part, env))) return false;
  const wanted = coreOf(service, env);
  return [name, ...withoutGenerated(name)].some((one) => coreOf(one, env) === wanted);
}

/** Returns whether a vendor's target is a machine, container, or pod, by its short or its full name. */
export function namesMachine(target: string, host: string): boolean {
  const [one, other] = [partsOf(target).name, hostName(host)];
  if (one === "" || other === "") return false;
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

/** Returns whether a vendor's target is a host that was called, or the service that the hostname names. */
export function namesCalledHost(target: string, host: string, env: string | null): boolean {
  const name = hostName(host);
  if (hostName(target) === name || partsOf(target).name === name) return true;
  const label = answeringLabel(name);
  return label !== null && namesService(target, label, env);
}

/** Returns the hostnames in a text, in lowercase, with any leading `*.`. */
export function hostsIn(text: string): string[] {
  return (text.toLowerCase().match(/(?:\*\.)?(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.){1,8}[a-z]{2,24}\b/g) ?? []).slice(
    0,
    hostsMax,
  );
}

const hostsMax = 20;

/** Returns whether a hostname, or a domain with `*.`, covers the host. */
export function coversHost(pattern: string, host: string): boolean {
  const name = hostName(host);
  return pattern.startsWith("*.") ? isBelow(name, pattern.slice(2)) : pattern === name;
}

/** Returns whether a host is in a domain. */
export function isBelow(host: string, domain: string): boolean {
  return domain.includes(".") && hostName(host).endsWith(`.${domain}`);
}

/** Returns the host of a URL, of a host with a port, or of a host, in lowercase. */
export function hostName(text: string): string {
  const name = text.trim().toLowerCase();
  const host = name.includes("://") ? (URL.parse(name)?.hostname ?? name) : name;
  return host.replace(/:\d{1,5}$/, "").replace(/\.$/, "");
}

/** Splits `production/orders-7d9f`, `service:orders`, or `arn:…:service/shop/orders`; the last part is the name. */
function partsOf(target: string): { readonly path: readonly string[]; readonly name: string } {
  const parts = hostName(target).split(/[/:]/);
  return { path: parts.slice(0, -1), name: (parts.at(-1) ?? "").trim() };
}

function coreOf(name: string, env: string | null): string {
  const words = wordsOf(name);
  const own = env === null ? [] : [env.toLowerCase(), ...(isProduction(env) ? production : [])];
  const core = words.filter((word) => !generic.has(word) && !own.includes(word));
  return (core.length > 0 ? core : words).join("");
}

function isOtherEnvironment(part: string, env: string | null): boolean {
  const words = wordsOf(part);
  const isOwn = (word: string): boolean => env !== null && word === env.toLowerCase();
  const foreign = env === null || isProduction(env) ? others : production;
  return words.some((word) => foreign.includes(word) && !isOwn(word));
}

function isProduction(env: string): boolean {
  return production.includes(env.toLowerCase());
}

function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** Returns the shorter forms of a pod's name, each with one more generated part removed. */
function withoutGenerated(name: string): string[] {
  const parts = name.split("-");
  const names: string[] = [];
  while (names.length < generatedPartsMax && parts.length > 1 && generated.test(parts.at(-1) ?? "")) {
    parts.pop();
    names.push(parts.join("-"));
  }
  return names;
}

/** Returns the label of a hostname that names the service; null for an address. */
function answeringLabel(name: string): string | null {
  if (/^[\d.]+$|:/.test(name)) return null;
  const labels = name.split(".");
  if (labels.length === 1) return name;
  return labels.slice(0, -1).find((label) => !roles.has(label)) ?? null;
}
