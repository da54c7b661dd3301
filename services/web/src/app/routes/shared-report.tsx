import { useQuery } from "@tanstack/react-query";
import { type JSX, useState } from "react";
import { PageTitle } from "../../components/page-title.tsx";
import { Placeholder } from "../../components/placeholder.tsx";
import { Problem } from "../../components/problem.tsx";
import { sharedReportQuery } from "../../features/shared-reports/api/get-shared-report.ts";
import { SharedReportView } from "../../features/shared-reports/components/shared-report.tsx";
import { ApiError } from "../../lib/api-client.ts";
import styles from "./services.module.css";

const statusNotFound = 404;

/** The report that a link leads to, for people without an account. Its token comes after `#`. */
export function SharedRoute(): JSX.Element {
  const [token] = useState(() => window.location.hash.slice(1));
  const { data, error } = useQuery({ ...sharedReportQuery(token), enabled: token !== "" });
  return (
    <main className={styles.narrow}>
      {data ? <SharedReportView report={data} /> : null}
      {!data && !error && token !== "" ? <Waiting /> : null}
      {token === "" || error ? <NoReport error={error} /> : null}
    </main>
  );
}

function Waiting(): JSX.Element {
  return (
    <>
      <PageTitle title="Shared report" />
      <Placeholder lines={10} />
    </>
  );
}

function NoReport({ error }: { readonly error: Error | null }): JSX.Element {
  const isUnknown = error === null || (error instanceof ApiError && error.status === statusNotFound);
  return (
    <>
      <PageTitle title="This link leads to no report" />
      {isUnknown ? (
        <p>It has expired, was revoked, or is incomplete. Ask the person who sent it for another one.</p>
      ) : (
        <Problem error={error} />
      )}
    </>
  );
}
