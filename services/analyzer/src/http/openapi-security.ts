import { sessionCookieName } from "../identity/session-cookie.ts";
import type { Access } from "./access.ts";

type Scheme = "key" | "session";

/** The credentials that requests carry. Each operation says which of them it takes: no document requires any of all. */
export function securitySchemes(appUrl: string): Readonly<Record<Scheme, object>> {
  return {
    key: {
      type: "apiKey",
      in: "header",
      name: "X-API-Key",
      description: "An organization's key, or an agent's. `x-key-scopes` lists the scopes that an operation takes.",
    },
    session: {
      type: "apiKey",
      in: "cookie",
      name: sessionCookieName(appUrl),
      description: "The session of someone who is signed in to the application.",
    },
  };
}

const schemesOf: Readonly<Record<Access["by"], readonly Scheme[]>> = {
  anyone: [],
  member: ["session"],
  owner: ["session"],
  key: ["key"],
  "key or member": ["key", "session"],
};

/** What an operation requires: one of these. */
export function securityOf({ by }: Access): readonly object[] {
  return schemesOf[by].map((scheme) => ({ [scheme]: [] }));
}
