import type { LinkWords } from "../../words/link-words.ts";
import { inlineCode } from "../../words/prose.ts";
import type { LinkArgs } from "../link.ts";

/** What the system's code for a failed connection means, as a clause about the address. */
const meanings: Readonly<Record<string, (address: string) => string>> = {
  ECONNREFUSED: (address) => `nothing is listening on ${address}`,
  ECONNRESET: (address) => `${address} closed the connection`,
  EPIPE: (address) => `${address} closed the connection`,
  ETIMEDOUT: (address) => `${address} doesn't answer`,
  ESOCKETTIMEDOUT: (address) => `${address} doesn't answer`,
  ENOTFOUND: (address) => `the host name ${address} doesn't resolve`,
  EAI_AGAIN: (address) => `DNS doesn't answer for ${address}`,
  EHOSTUNREACH: (address) => `${address} is unreachable`,
  ENETUNREACH: (address) => `${address} is unreachable`,
};

/** Servers by their well-known ports. */
const products: Readonly<Record<string, string>> = {
  "5432": "PostgreSQL",
  "5433": "PostgreSQL",
  "3306": "MySQL",
  "6379": "Redis",
  "27017": "MongoDB",
  "5672": "RabbitMQ",
  "9092": "Kafka",
  "4222": "NATS",
  "9200": "Elasticsearch",
  "11211": "Memcached",
};

type Args = LinkArgs["dependency"];

/** The words for something that was called and doesn't report to Whence. */
export const dependency: LinkWords<Args> = {
  what: ({ name, code }) => (meanings[code ?? ""] ?? ((address) => `${address} fails`))(named(name)),
  fix: ({ name, code }) => {
    if (code === "ECONNREFUSED")
      return {
        title: `Start the server that should listen on ${inlineCode(name)}`,
        detail: "If it is running, check the address in the configuration.",
      };
    if (code === "ENOTFOUND" || code === "EAI_AGAIN")
      return {
        title: `Check the host name ${inlineCode(name)}`,
        detail: `Resolve it from the host that failed, and correct the name in the configuration if it is wrong.`,
      };
    return { title: `Check ${inlineCode(name)}`, detail: "Connect to it from the host that failed, and read its log." };
  },
  prevent: ({ name }) => ({
    title: `Include ${inlineCode(name)} in the readiness check`,
    detail: "Instances that can't reach it then get no requests, and the check names the dependency.",
  }),
  confirmedBy: ({ name }) => `connecting to ${inlineCode(name)} from the host that failed fails too`,
  ruledOutBy: ({ name }) => `${inlineCode(name)} accepted connections from that host at the time of the failure`,
};

function named(name: string): string {
  const product = products[/:(\d+)$/.exec(name)?.[1] ?? ""];
  return product === undefined ? inlineCode(name) : `${inlineCode(name)} (${product})`;
}
