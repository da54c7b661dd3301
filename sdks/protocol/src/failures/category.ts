import { z } from "zod";

/** The categories of root causes. The list is closed: a cause that fits none is `unknown`. */
export const categories = [
  "null-dereference",
  "type-mismatch",
  "missing-await",
  "unhandled-rejection",
  "bad-config",
  "module-resolution",
  "network-unreachable",
  "upstream-bad-response",
  "timeout",
  "resource-exhaustion",
  "permission",
  "parse-error",
  "schema-drift",
  "concurrency",
  "boundary",
  "encoding",
  "breaking-upgrade",
  "infinite-loop",
  "auth",
  "data-validation",
  "filesystem",
  "deploy-regression",
  "dependency-outage",
  "unknown",
] as const;

export const categorySchema = z.enum(categories);
export type Category = z.infer<typeof categorySchema>;
