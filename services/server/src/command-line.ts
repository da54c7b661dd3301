import { parseArgs } from "node:util";
import { type Role, roles } from "./config.ts";
import { serverErrors } from "./errors.ts";

/** A parsed command line. */
export type Command =
  | { readonly name: "help" }
  | { readonly name: "serve"; readonly role: Role }
  | { readonly name: "queues"; readonly url: string | undefined }
  | {
      readonly name: "dead-letters";
      readonly url: string | undefined;
      readonly action: DeadLetterAction;
      readonly topic: string;
      readonly letters: readonly string[] | "all";
      readonly limit: number;
    }
  | { readonly name: "backup"; readonly url: string | undefined; readonly file: string }
  | { readonly name: "verify-audit-log"; readonly url: string | undefined; readonly heads: readonly string[] }
  | { readonly name: "reset-two-factor"; readonly url: string | undefined; readonly email: string }
  | { readonly name: "restore"; readonly file: string }
  | { readonly name: "rotate-secret-key" }
  | { readonly name: "operator-token" };

const deadLetterActions = ["list", "redrive", "discard"] as const;
type DeadLetterAction = (typeof deadLetterActions)[number];

const listedMax = 50;

export const usage = `whence-server [--role gateway|writer|analyzer|api|all]
      runs the service, or one part of it

whence-server queues
      prints pending messages, the age of the oldest, and dead letters
whence-server dead-letters list    --topic telemetry|failures|investigations [--limit N]
whence-server dead-letters redrive --topic TOPIC (--letter ID ... | --all)
whence-server dead-letters discard --topic TOPIC (--letter ID ... | --all)
whence-server backup --to FILE
whence-server verify-audit-log [--head HASH ...]
      checks that no organization's audit log was altered, and that it still contains these heads
whence-server reset-two-factor --email ADDRESS
      lets a person who has lost their authenticator and backup codes sign in with the password alone

      The commands above query the running service: at --url URL, or where the environment says it listens.

whence-server restore --from FILE
      restores a backup; the service must be empty and stopped
whence-server rotate-secret-key
      re-encrypts stored credentials with the current key
whence-server operator-token
      prints the token for the /operator endpoints

The environment is described in docs/self-hosting.md.`;

/** Parses the arguments. Throws `WHENCE_ERR_USAGE` for unknown ones. */
export function readCommand(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  const [name = "serve", action, ...rest] = positionals;
  const { url } = values;
  if (values.help) return { name: "help" };
  if (rest.length > 0 || (action !== undefined && name !== "dead-letters")) {
    throw serverErrors.create("WHENCE_ERR_USAGE", [`unknown command: ${positionals.join(" ")}`]);
  }
  switch (name) {
    case "serve":
      return { name, role: oneOf("--role", roles, values.role ?? "all") };
    case "dead-letters":
      return { name, url, ...deadLettersOf(oneOf("dead-letters", deadLetterActions, action ?? "list"), values) };
    case "queues":
      return { name, url };
    case "backup":
      return { name, url, file: required("--to", values.to) };
    case "verify-audit-log":
      return { name, url, heads: values.head ?? [] };
    case "reset-two-factor":
      return { name, url, email: required("--email", values.email) };
    case "restore":
      return { name, file: required("--from", values.from) };
    case "rotate-secret-key":
    case "operator-token":
      return { name };
    default:
      throw serverErrors.create("WHENCE_ERR_USAGE", [`unknown command: ${name}`]);
  }
}

type Values = ReturnType<typeof parse>["values"];

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: "boolean", short: "h" },
        role: { type: "string" },
        url: { type: "string" },
        topic: { type: "string" },
        letter: { type: "string", multiple: true },
        all: { type: "boolean" },
        limit: { type: "string" },
        head: { type: "string", multiple: true },
        to: { type: "string" },
        from: { type: "string" },
        email: { type: "string" },
      },
    });
  } catch (cause) {
    const message = cause instanceof Error ? (cause.message.split(". ")[0] ?? "") : String(cause);
    throw serverErrors.create("WHENCE_ERR_USAGE", [message], { cause });
  }
}

function deadLettersOf(
  action: DeadLetterAction,
  { topic, letter = [], all = false, limit = String(listedMax) }: Values,
): Pick<Extract<Command, { name: "dead-letters" }>, "action" | "topic" | "letters" | "limit"> {
  if (action !== "list" && all === letter.length > 0) {
    throw serverErrors.create("WHENCE_ERR_USAGE", [`dead-letters ${action} takes either --letter or --all`]);
  }
  const count = Number(limit);
  if (!Number.isInteger(count) || count < 1) {
    throw serverErrors.create("WHENCE_ERR_USAGE", [`--limit takes a whole number above 0, not ${limit}`]);
  }
  return { action, topic: required("--topic", topic), letters: all ? "all" : letter, limit: count };
}

function required(option: string, value: string | undefined): string {
  if (value === undefined) throw serverErrors.create("WHENCE_ERR_USAGE", [`${option} is missing`]);
  return value;
}

function oneOf<Value extends string>(what: string, allowed: readonly Value[], got: string): Value {
  const found = allowed.find((value) => value === got);
  if (found !== undefined) return found;
  throw serverErrors.create("WHENCE_ERR_USAGE", [`${what} takes ${allowed.join(", ")}, not ${got}`]);
}
