import type { ErrorTable } from "@whence/protocol";

/** Responses to requests for build output that is missing. */
export const buildErrors = {
  WHENCE_ERR_CLIENTS_NOT_BUILT: {
    status: 503,
    message:
      "the clients are not built yet: try again in a few seconds. If this goes on, run pnpm build on the service's machine",
  },
  WHENCE_ERR_DOCS_NOT_BUILT: {
    status: 503,
    message:
      "the documentation is not built yet: try again in a few seconds. If this goes on, run pnpm build on the service's machine",
  },
  WHENCE_ERR_PAGE_NOT_BUILT: {
    status: 503,
    message: "the web application is not built: run pnpm build on the service's machine. The API works without it",
  },
} as const satisfies ErrorTable;
