import { isIP } from "node:net";
import type { FailureQuestion } from "./integration.ts";

const namesMax = 10;
/** Parts of a hostname that many services share. */
const commonLabels = new Set(["api", "www", "localhost", "app", "web"]);

/**
 * Returns the names that logs and metrics may use for the failing service and those that it called, the failing one
 * first: `payments` for `payments.example.com`.
 */
export function serviceNames({ service, calledHosts }: Pick<FailureQuestion, "service" | "calledHosts">): string[] {
  const called = calledHosts.flatMap((host) => {
    const name = isIP(host) === 0 ? host.replace(/:\d+$/, "").toLowerCase() : host;
    const [label = ""] = name.split(".", 1);
    return isIP(name) !== 0 || commonLabels.has(label) ? [] : [label];
  });
  return [...new Set([service, ...called])].filter((name) => name !== "").slice(0, namesMax);
}
