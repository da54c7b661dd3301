import type { Signature } from "../findings.ts";
import { auth } from "./families/auth.ts";
import { config } from "./families/config.ts";
import { dns } from "./families/dns.ts";
import { errno } from "./families/errno.ts";
import { http } from "./families/http.ts";
import { jsonParse } from "./families/json-parse.ts";
import { moduleResolution } from "./families/module-resolution.ts";
import { nodeErrors } from "./families/node-errors.ts";
import { resources } from "./families/resources.ts";
import { timeouts } from "./families/timeouts.ts";
import { tls } from "./families/tls.ts";
import { typeErrors } from "./families/type-error.ts";

/** Every family, by name. The order is that of precedence: the more telling first. */
export const families: Readonly<Record<string, readonly Signature[]>> = {
  "module-resolution": moduleResolution,
  config,
  tls,
  auth,
  dns,
  resources,
  timeouts,
  http,
  "json-parse": jsonParse,
  errno,
  "node-errors": nodeErrors,
  "type-error": typeErrors,
};

export const signatures: readonly Signature[] = Object.values(families).flat();
