import { sessionCookieName } from "../../identity/session-cookie.ts";
import type { Access } from "../access.ts";

const keyHeaderName = "X-API-Key";

/** The header of an API key, as a parameter. */
export const keyHeader = { name: keyHeaderName, schema: { type: "string", title: "X-Api-Key" } } as const;

/** The credentials that requests carry. Each operation lists those it accepts; no document requires one globally. */
export function securitySchemes(appUrl: string) {
  return {
    key: {
      type: "apiKey",
      in: "header",
      name: keyHeaderName,
      description: "An organization's or an agent's key. `x-key-scopes` lists the scopes that an operation accepts.",
    },
    session: {
      type: "apiKey",
      in: "cookie",
      name: sessionCookieName(appUrl),
      description: "The session of a person who is signed in to the application.",
    },
  } as const;
}

type Scheme = keyof ReturnType<typeof securitySchemes>;

const schemesOf: Readonly<Record<Access["by"], readonly Scheme[]>> = {
  anyone: [],
  member: ["session"],
  owner: ["session"],
  key: ["key"],
  "key or member": ["key", "session"],
  "key or owner": ["key", "session"],
};

/** The credentials that an operation accepts: any one of these. */
export function securityOf({ by }: Access): readonly { [scheme: string]: readonly string[] }[] {
  return schemesOf[by].map((scheme) => ({ [scheme]: [] }));
}
