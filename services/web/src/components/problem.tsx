import type { JSX } from "react";
import { ApiError } from "../lib/api-client.ts";
import { Button } from "./button.tsx";
import styles from "./problem.module.css";

export interface ProblemProps {
  readonly error: unknown;
  /** Retries what failed, if that is possible. */
  readonly retry?: () => void;
}

/** What went wrong, in the service's own words, with the request ID of its log entry. */
export function Problem({ error, retry }: ProblemProps): JSX.Element {
  const { code, requestId } = error instanceof ApiError ? error : { code: null, requestId: null };
  const names = [code, requestId === null ? null : `request ${requestId}`].filter((name) => name !== null);
  return (
    <div role="alert" className={styles.problem}>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      {names.length > 0 ? <p className={styles.names}>{names.join(" · ")}</p> : null}
      {retry ? (
        <Button icon="again" onClick={retry}>
          Try again
        </Button>
      ) : null}
    </div>
  );
}
