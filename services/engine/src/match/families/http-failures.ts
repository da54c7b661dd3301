import type { Signature } from "../../findings.ts";

export const httpFailures: readonly Signature[] = [
  {
    id: "http.502",
    category: "upstream-bad-response",
    match: {
      code: ["HTTP 502"],
      message: [
        "Bad Gateway",
        "upstream prematurely closed connection",
        "no live upstreams while connecting to upstream",
        "ALB target response malformed",
      ],
    },
    meaning:
      "A proxy got no valid answer from the service behind it (502): it is down, crashed while answering, or closed the connection.",
    seenIfTrue: "the service behind the proxy restarts or crashes at those seconds",
    seenIfFalse: "the service answered well and the proxy cannot read it (protocol, header size)",
    shortTerm:
      "Look at the log of the service behind the proxy at that second, and whether its port and protocol are those of the proxy's upstream.",
    longTerm: "Keep the service's keep-alive timeout above the proxy's, and drain connections on SIGTERM.",
    url: "https://www.rfc-editor.org/rfc/rfc9110#section-15.6.3",
  },
  {
    id: "http.503",
    category: "upstream-bad-response",
    match: {
      code: ["HTTP 503"],
      message: [
        "Service Unavailable",
        "Service Temporarily Unavailable",
        "no healthy upstream",
        "upstream connect error or disconnect/reset before headers",
        "no available server",
      ],
    },
    meaning:
      "The service cannot answer for now (503): overloaded, starting, in maintenance, or without a healthy instance behind the proxy.",
    seenIfTrue: "its health checks fail or its instances restart at that time",
    seenIfFalse: "its instances are healthy, and only the path between fails",
    shortTerm:
      "Look at the health of the instances behind that address (`kubectl get endpoints`), and wait as long as Retry-After says.",
    longTerm:
      "Run enough instances for one to fail, with readiness checks that tell the truth; use a circuit breaker here.",
    url: "https://www.rfc-editor.org/rfc/rfc9110#section-15.6.4",
  },
  {
    id: "http.504",
    category: "timeout",
    match: {
      code: ["HTTP 504"],
      message: [
        "Gateway Timeout",
        "Gateway Time-out",
        "upstream timed out ({number}: {what})",
        "upstream request timeout",
        "Endpoint request timed out",
      ],
    },
    meaning: "A proxy waited for the service behind it until its limit and gave up (504).",
    seenIfTrue: "the requests take exactly the proxy's limit (nginx `proxy_read_timeout` 60 s, API Gateway 29 s)",
    seenIfFalse: "they fail at once",
    shortTerm:
      "Look at what the service does with that request; raise the proxy's limit only when the slowness is expected.",
    longTerm:
      "Give the proxy a longer limit than the service and the service a longer one than its queries; move long work into a queue.",
    url: "https://www.rfc-editor.org/rfc/rfc9110#section-15.6.5",
  },
  {
    id: "http.501",
    category: "upstream-bad-response",
    match: { code: ["HTTP 501", "HTTP 505"] },
    meaning: "The server does not know the method or protocol of the request (501, 505).",
    seenIfTrue: "the method or HTTP version is unusual, or a proxy changed it",
    seenIfFalse: "the server answers the same request well at other times",
    shortTerm: "Compare the method with what the server documents.",
    longTerm: "Test against the real server before it is called in production.",
    url: "https://www.rfc-editor.org/rfc/rfc9110#section-15.6.2",
  },
  {
    id: "http.507",
    category: "resource-exhaustion",
    match: { code: ["HTTP 507"], message: ["Insufficient Storage"] },
    meaning: "The server has no room left to store what was sent (507).",
    seenIfTrue: "its volume or quota is full",
    seenIfFalse: "there is room, and the quota of this user is used up",
    shortTerm: "Free space or raise the quota on the server.",
    longTerm: "Alert before the volume is full.",
    url: "https://www.rfc-editor.org/rfc/rfc4918#section-11.5",
  },
  {
    id: "http.508",
    category: "infinite-loop",
    match: {
      code: ["HTTP 508", "ERR_FR_TOO_MANY_REDIRECTS"],
      message: [
        "redirect count exceeded",
        "Maximum number of redirects exceeded",
        "maximum redirect reached",
        "Exceeded 30 redirects",
        "ERR_TOO_MANY_REDIRECTS",
        "stopped after 10 redirects",
        "TooManyRedirects",
      ],
    },
    meaning: "Redirects lead in a circle.",
    seenIfTrue: "`curl -IL` shows the same addresses again and again, often http and https in turn",
    seenIfFalse: "the chain ends, and is only long",
    shortTerm:
      "Look at the chain with `curl -IL`, and stop the redirect that leads back (behind a proxy: trust `X-Forwarded-Proto`).",
    longTerm: "Decide scheme and host in one place, the proxy or the service.",
    url: "https://www.rfc-editor.org/rfc/rfc9110#section-15.4",
  },
  {
    id: "http.cloudflare-origin",
    category: "upstream-bad-response",
    match: {
      code: ["HTTP 520", "HTTP 521", "HTTP 522", "HTTP 523", "HTTP 524", "HTTP 525", "HTTP 526", "HTTP 530"],
      message: [
        "Error 521",
        "error code: 521",
        "error code: 520",
        "error code: 522",
        "error code: 523",
        "error code: 524",
        "error code: 525",
        "error code: 526",
      ],
    },
    meaning:
      "Cloudflare could not get an answer from the origin: it is down (521), unreachable (522, 523), too slow (524), or its TLS is refused (525, 526).",
    seenIfTrue: "a request straight to the origin fails as well",
    seenIfFalse: "the origin answers straight requests, and refuses Cloudflare's addresses",
    shortTerm: "Request the origin itself, and let its firewall pass Cloudflare's addresses.",
    longTerm: "Watch the origin from outside Cloudflare too.",
    url: "https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-5xx-errors/",
  },
  {
    id: "http.500",
    category: "upstream-bad-response",
    match: { code: ["HTTP 500"], message: ["Internal Server Error"] },
    meaning: "The service that was asked failed inside (500).",
    seenIfTrue: "the other service logs an error for the same request",
    seenIfFalse: "the other service logs success, and something between rewrote the answer",
    shortTerm:
      "Look at the other service's error at that time (by trace or request id); repeat idempotent requests with back-off.",
    longTerm: "Check the status before reading the body, with a fallback for what can do without.",
    url: "https://www.rfc-editor.org/rfc/rfc9110#section-15.6.1",
  },
];
