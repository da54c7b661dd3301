import type { FastifyReply, FastifyRequest } from "fastify";
import { answerUnknownRoute } from "../http/error-handler.ts";
import type { BundledFile } from "./bundle.ts";

const statusNotModified = 304;

/** Lets browsers keep files whose names change with their content, without asking again. */
const keptForGood = "public, max-age=31536000, immutable";

/** Allows only files from this origin: no inline styles, no other origins, no framing. */
const policy = (scripts: string): string =>
  [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/**
 * Returns the headers of a page and of its files. An inline script runs only if its hash is given, such as `sha256-…`.
 */
export function pageHeaders(scriptHashes: readonly string[] = []): Record<string, string> {
  return {
    "content-security-policy": policy(["'self'", ...scriptHashes.map((hash) => `'${hash}'`)].join(" ")),
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    // Not "no-referrer": with it browsers send `Origin: null`, and the page's own requests would look like another
    // site's.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    vary: "accept-encoding",
  };
}

/**
 * Sends a file whose name changes with its content, or the answer to an unknown path when it is gone from the disk: the
 * application was built again, and an open page asks for a part of the one before.
 */
export async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  file: BundledFile | undefined,
): Promise<FastifyReply> {
  if (!file) return answerUnknownRoute(request, reply);
  try {
    return await sendFile(request, reply.header("cache-control", keptForGood), file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    reply.removeHeader("cache-control").removeHeader("etag");
    return answerUnknownRoute(request, reply);
  }
}

/** Sends a file, or 304 to a browser that has it. */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: BundledFile): Promise<FastifyReply> {
  const etag = await file.etag();
  reply.header("etag", etag);
  if (request.headers["if-none-match"] === etag) return reply.type(file.type).code(statusNotModified).send();
  return sendContent(request, reply, file);
}

/** Sends a file's content in the best encoding that the browser accepts. */
export async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  file: BundledFile,
): Promise<FastifyReply> {
  const accepted = acceptedEncodings(request.headers["accept-encoding"]);
  const encoding = file.encodings.find((name) => accepted.has(name));
  const content = await file.read(encoding);
  if (encoding !== undefined) reply.header("content-encoding", encoding);
  return reply.type(file.type).send(content);
}

/** Returns the encodings that a browser accepts; one with weight 0 isn't accepted. */
function acceptedEncodings(header: string | string[] | undefined): ReadonlySet<string> {
  const parts = [header ?? ""]
    .flat()
    .join(",")
    .split(",")
    .map((part) => part.split(";").map((piece) => piece.trim()));
  const taken = parts.filter(([, weight]) => weight === undefined || Number(weight.replace(/^q=/i, "")) > 0);
  return new Set(taken.map(([name = ""]) => name.toLowerCase()));
}
