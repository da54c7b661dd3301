import { z } from "zod";
import { monitoredEnv } from "../incidents/monitored-env.ts";
import { limits } from "../limits.ts";

/** Limits of what an owner decides about a DSN. */
export const sentryProjectLimits = {
  /** Origins of pages that may send. */
  originsMax: 20,
  originLengthMax: 255,
} as const;

const name = z.string().trim().min(1).max(limits.serviceLengthMax);

/**
 * Returns an origin as browsers send it, such as `https://shop.example`, or undefined for anything else. A `*` in place
 * of the first label stands for every subdomain: `https://*.shop.example`.
 */
export function normalOrigin(text: string): string | undefined {
  const wildcard = /^(https?:\/\/)\*\.(?=[^.])/i;
  const isWild = wildcard.test(text);
  const plain = text.replace(wildcard, "$1");
  if (plain.includes("*") || !URL.canParse(plain)) return undefined;
  const { origin, pathname, search, hash, username, protocol } = new URL(plain);
  if (!/^https?:$/.test(protocol) || `${pathname}${search}${hash}${username}` !== "/") return undefined;
  return isWild ? origin.replace("://", "://*.") : origin;
}

const originSchema = z
  .string()
  .max(sentryProjectLimits.originLengthMax)
  .transform((text, context) => {
    const origin = normalOrigin(text.trim());
    if (origin !== undefined) return origin;
    context.addIssue({ code: "custom", message: "it isn't an origin, such as https://shop.example" });
    return z.NEVER;
  });

/** What an owner decides about a DSN: the service it reports for, where, and from which pages. */
export const sentryProjectSettingsSchema = z.object({
  service: name,
  /** Of events that name no environment, or `production`, which is what Sentry's clients say when they were given none. */
  env: name.default(monitoredEnv),
  /** The origins of pages that may send. None: programs only. */
  origins: z.array(originSchema).max(sentryProjectLimits.originsMax).default([]),
});
export type SentryProjectSettings = z.infer<typeof sentryProjectSettingsSchema>;

/** The project of a DSN, `http://KEY@host/PROJECT`: several DSNs may have the same one. */
export const sentryProjectSchema = z.object({
  /** Digits, as Sentry's clients demand. */
  id: z.string().regex(/^[1-9][0-9]{0,17}$/),
  service: z.string(),
  env: z.string(),
  origins: z.array(z.string()),
});
export type SentryProject = z.infer<typeof sentryProjectSchema>;

/** Whether a page of this origin may send events to the project. */
export function allowsOrigin({ origins }: SentryProject, origin: string): boolean {
  return origins.some((allowed) => {
    const [scheme = "", domain] = allowed.split("*");
    return domain === undefined ? allowed === origin : origin.startsWith(scheme) && origin.endsWith(domain);
  });
}

/** Returns the DSN for a key, which is all that a client of Sentry's needs. `base` is the URL that clients reach. */
export function sentryDsn(base: string, key: string, { id }: Pick<SentryProject, "id">): string {
  const { protocol, host, pathname } = new URL(base);
  return `${protocol}//${key}@${host}${pathname.replace(/\/$/, "")}/${id}`;
}
