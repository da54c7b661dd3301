import type { Signature } from "../../findings.ts";

export const http: readonly Signature[] = [
  {
    id: "http.headers-sent",
    category: "concurrency",
    match: {
      code: ["ERR_HTTP_HEADERS_SENT", "ERR_STREAM_WRITE_AFTER_END", "FST_ERR_REP_ALREADY_SENT"],
      message: ["Can't set headers after they are sent", "response has already been committed"],
    },
    meaning: "The answer was sent twice: two paths of the handler both end it.",
    seenIfTrue:
      "the handler goes on after it has answered (a missing `return`), or answers in a callback and a promise",
    seenIfFalse: "the handler answers in one place only",
    shortTerm: "Put `return` before each answer.",
    longTerm: "Let handlers return a value, and answer in one place.",
    url: "https://nodejs.org/api/errors.html#err_http_headers_sent",
  },
  {
    id: "http.cors",
    category: "bad-config",
    match: {
      message: [
        "has been blocked by CORS policy",
        "Cross-Origin Request Blocked",
        "No 'Access-Control-Allow-Origin' header is present",
        "Not allowed by CORS",
      ],
    },
    meaning: "The browser withheld an answer because the server does not allow the page's origin.",
    seenIfTrue: "the answer lacks `Access-Control-Allow-Origin` for that origin, or the preflight (OPTIONS) is refused",
    seenIfFalse: "the header is there, and the request failed before it (a 502 has none)",
    shortTerm:
      "Add the page's origin to the server's allowed ones, and answer the preflight; first check that the answer is no error page.",
    longTerm: "Keep the allowed origins in the configuration of each environment.",
    url: "https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CORS/Errors",
  },
];
