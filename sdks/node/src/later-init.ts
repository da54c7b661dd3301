import type { EventRules } from "./core/event-rules.ts";
import { type InitOptions, type Options, resolveOptions, type Warn } from "./options.ts";

/** The options that a running client adopts from a later `init`. */
export interface AdoptedOptions {
  /** Additional field names to redact. */
  readonly redact: readonly string[];
  readonly rules: Partial<EventRules>;
  /** Undefined when the program's names don't change. */
  readonly names: Pick<Options, "service" | "env" | "release"> | undefined;
}

const rules = ["beforeSend", "beforeBreadcrumb", "ignoreErrors", "sampleRate"] as const;
const names = ["service", "env", "release"] as const;
const fixed = [
  ...(["apiKey", "endpoint", "errorFields", "source", "logs", "databases"] as const),
  ...(["spool", "hangWatch", "localVariables", "watchServers", "watch"] as const),
] as const;

/**
 * Returns the options of a later `init` that can be adopted. Warns once about the others, unless they equal the current
 * ones. `isNamed` means that the service may already know this process by its names, which then stay.
 */
export function adoptable(running: Options, given: InitOptions, isNamed: boolean, warn: Warn): AdoptedOptions {
  const { rules: former, ...same } = running;
  const isGiven = (name: keyof InitOptions): boolean => given[name] !== undefined;
  const resolved = resolveOptions(
    { ...same, ...former, spool: false, endpoint: undefined, ...withoutUndefined(given) },
    warn,
  );
  if (!resolved) return { redact: [], rules: {}, names: undefined };
  const changed = names.filter((name) => isGiven(name) && resolved[name] !== running[name]);
  const refused = [
    ...fixed.filter((name) => isGiven(name) && JSON.stringify(resolved[name]) !== JSON.stringify(running[name])),
    ...(isNamed ? changed : []),
  ];
  if (refused.length > 0)
    warn(`init was called while the client runs, and can't change ${refused.join(", ")}: set these where it starts`);
  const { service, env, release } = resolved;
  return {
    redact: isGiven("redact") ? resolved.redact : [],
    rules: Object.fromEntries(rules.filter(isGiven).map((name) => [name, resolved.rules[name]])),
    names: isNamed || changed.length === 0 ? undefined : { service, env, release },
  };
}

function withoutUndefined(given: InitOptions): Partial<InitOptions> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
