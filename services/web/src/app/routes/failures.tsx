import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { JSX } from "react";
import { Loaded } from "../../components/loaded.tsx";
import { Nothing } from "../../components/nothing.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { paths } from "../../config/paths.ts";
import { failuresMax, failuresQuery } from "../../features/failures/api/list-failures.ts";
import { FailureFilters } from "../../features/failures/components/failure-filters.tsx";
import { FailureList } from "../../features/failures/components/failure-list.tsx";
import { SpentBudgetNote } from "../../features/failures/components/spent-budget-note.tsx";
import type { FailureFilter } from "../../features/failures/failure-filter.ts";
import styles from "./failures.module.css";

const route = getRouteApi("/inside/failures");

/** Failures that weren't investigated, and why; optionally all failures with their decisions. */
export function FailuresRoute(): JSX.Element {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const failures = useQuery(failuresQuery(filter));
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <PageTitle title="Failures" />
        <p className={styles.soft}>
          What Whence decided about each failure and why, the latest first. The{" "}
          <Link to={paths.settingsThresholds}>incident thresholds</Link> decide.
        </p>
        <FailureFilters filter={filter} onChange={(search) => void navigate({ search, replace: true })} />
      </div>
      <SpentBudgetNote />
      <Loaded query={failures} lines={12}>
        {(found) => (found.length === 0 ? <NoFailures filter={filter} /> : <FailureList failures={found} />)}
      </Loaded>
      {failures.data?.length === failuresMax ? (
        <p className={styles.soft}>Only the latest {failuresMax} are shown.</p>
      ) : null}
    </div>
  );
}

function NoFailures({ filter: { show, rule } }: { readonly filter: FailureFilter }): JSX.Element {
  if (show === "all") {
    return (
      <Nothing title="No failures yet">
        <p>Failures that services report appear here, each with the decision about it.</p>
      </Nothing>
    );
  }
  return (
    <Nothing title={rule === undefined ? "No skipped failures" : "No failures skipped for this reason"}>
      <p>
        A failure that opens no incident appears here with the reason: the hourly incident limit was reached, it is
        muted or below its threshold, its environment isn't monitored, or its process had finished or was replaced.
      </p>
    </Nothing>
  );
}
