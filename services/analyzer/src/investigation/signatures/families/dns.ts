import type { Signature } from "../../findings.ts";

const url = "https://nodejs.org/api/dns.html#error-codes";

export const dns: readonly Signature[] = [
  {
    id: "dns.enotfound",
    category: "network-unreachable",
    match: { code: ["ENOTFOUND", "ENODATA"] },
    meaning: "The host name does not resolve: it is misspelt, or the resolver does not know it.",
    seenIfTrue: "`getent hosts` on the same machine finds nothing for the name",
    seenIfFalse: "the name resolves on the same machine",
    shortTerm: "Check the host name in the configuration, and the resolver of the machine or container.",
    longTerm: "Resolve configured hosts when the process starts, and fail with the name of the setting.",
    url,
  },
  {
    id: "dns.eai-again",
    category: "network-unreachable",
    match: { code: ["EAI_AGAIN"] },
    meaning: "The resolver did not answer: DNS is failing for the moment.",
    seenIfTrue: "other names fail to resolve at the same time",
    seenIfFalse: "only this name fails",
    shortTerm: "Check the resolver that the container or host uses.",
    longTerm: "Cache DNS on the node, and retry with back-off.",
    url,
  },
];
