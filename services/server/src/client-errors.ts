import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { WhenceError } from "@whence/protocol";
import { serverErrors } from "./errors.ts";

/** Answers input that Node's parser rejects. It has no request, so no route or error handler sees it. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  if (socket.writable) socket.write(answerOf(refusalOf(error.code)));
  socket.destroy(error);
}

function refusalOf(code: string | undefined): WhenceError {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return serverErrors.create("WHENCE_ERR_REQUEST_TIMEOUT");
  if (code === "HPE_HEADER_OVERFLOW") return serverErrors.create("WHENCE_ERR_HEADERS_TOO_LARGE");
  return serverErrors.create("WHENCE_ERR_REQUEST_MALFORMED");
}

function answerOf({ status, message, code }: WhenceError): string {
  const body = JSON.stringify({ detail: message, code });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}
