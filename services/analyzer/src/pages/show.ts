import { ValidationFailure, WhenceError } from "@whence/protocol";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { analyzerErrors } from "../errors.ts";
import { translate } from "../http/error-handler.ts";
import { isUnavailability, sayUnavailable } from "../http/unavailable.ts";
import type { Member } from "../identity/identity.ts";
import { html, type Markup } from "./html.ts";
import { page, pageHeaders } from "./layout.ts";

const statusUnprocessable = 422;
const statusUnsupportedType = 415;
const statusFailed = 500;

/** Answers with a whole page, which may load itself again after so many seconds. */
export function show(
  reply: FastifyReply,
  title: string,
  body: Markup,
  viewer?: Member,
  refresh?: number,
): FastifyReply {
  return reply.headers(pageHeaders).send(page({ title, body, viewer, refreshSeconds: refresh }));
}

/** Says on a page what a person can do about it; what is not theirs to mend is logged. */
export function answerPageError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = translate(error, request);
  if (known instanceof ValidationFailure) return showProblem(reply.code(statusOf(error)), misfits(known));
  if (known instanceof WhenceError && known.status < statusFailed) {
    return showProblem(reply.code(known.status), known.message);
  }
  request.log.error({ err: error }, "page failed");
  if (known instanceof WhenceError && isUnavailability(known)) return showProblem(reply, sayUnavailable(reply));
  const { status, message } = analyzerErrors.create("WHENCE_ERR_INTERNAL");
  return showProblem(reply.code(status), message);
}

/** The interface answers 422 for a type it cannot read, as it is specified; a page says what it is. */
function statusOf(error: FastifyError | Error): number {
  const isType = "code" in error && error.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE";
  return isType ? statusUnsupportedType : statusUnprocessable;
}

function misfits({ detail }: ValidationFailure): string {
  const fields = detail.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`);
  return `the link or the form is not as it should be (${fields.join("; ")})`;
}

function showProblem(reply: FastifyReply, message: string): FastifyReply {
  const body = html`<h1>That did not work</h1><p>${message}.</p><p><a href="/">To the incidents</a></p>`;
  return show(reply, "Not possible", body);
}
