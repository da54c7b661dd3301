import type { Signature } from "../../findings.ts";

export const auth: readonly Signature[] = [
  {
    id: "auth.database-password",
    category: "auth",
    match: {
      message:
        /(?:password authentication failed for user|Access denied for user|SASL: SCRAM|no pg_hba\.conf entry|WRONGPASS|NOAUTH|Authentication failed|bad auth)/,
    },
    meaning: "The database refused the credentials: wrong user or password, or one that is missing.",
    seenIfTrue: "the same user and password are refused by hand",
    seenIfFalse: "the same credentials work from the same host",
    shortTerm: "Check the user and password that the process was given, and where they come from.",
    longTerm:
      "Take credentials from one secret store, rotate them with an overlap, and check them when the process starts.",
    url: "https://www.postgresql.org/docs/current/client-authentication-problems.html",
  },
  {
    id: "auth.unauthorized",
    category: "auth",
    match: { message: /(?:\b401\b|Unauthorized|[Ii]nvalid (?:API key|api key|credentials|access token|token))/ },
    meaning: "The credentials were refused: missing, wrong or expired.",
    seenIfTrue: "the same key or token is refused by hand",
    seenIfFalse: "the same key works from elsewhere",
    shortTerm: "Check which key or token the process sends, and whether it is still valid.",
    longTerm: "Renew tokens before they expire, and alert on the first refusal.",
    url: "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.2",
  },
  {
    id: "auth.forbidden",
    category: "permission",
    match: {
      message:
        /(?:\b403\b|Forbidden|AccessDenied|is not authorized to perform|permission denied for (?:table|schema|relation))/,
    },
    meaning: "The credentials are known and may not do this.",
    seenIfTrue: "the role lacks the permission that the message names",
    seenIfFalse: "the role has the permission",
    shortTerm: "Grant exactly the permission that is missing.",
    longTerm: "Keep roles as code, and test them with the service's own role.",
    url: "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.4",
  },
  {
    id: "auth.jwt",
    category: "auth",
    match: {
      message:
        /(?:jwt (?:expired|malformed|must be provided|not active)|invalid signature|JWSSignatureVerificationFailed|signature verification failed|"exp" claim timestamp check failed)/,
    },
    meaning: "A signed token was refused: expired, cut, or signed with another key.",
    seenIfTrue: "the token's `exp` is in the past, or its `kid` is not among the keys",
    seenIfFalse: "the token verifies with the configured key now",
    shortTerm: "Compare the token's issuer, key id and expiry with the configuration.",
    longTerm: "Read keys from the issuer's key set, and allow for a small clock difference.",
    url: "https://www.rfc-editor.org/rfc/rfc7519",
  },
];
