import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { JSX } from "react";
import { Loaded } from "../../components/loaded.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { paths } from "../../config/paths.ts";
import { failuresMax, failuresQuery } from "../../features/failures/api/list-failures.ts";
import { FailureFilters } from "../../features/failures/components/failure-filters.tsx";
import { FailureList } from "../../features/failures/components/failure-list.tsx";
import { SpentBudgetNote } from "../../features/failures/components/spent-budget-note.tsx";
import type { FailureFilter } from "../../features/failures/failure-filter.ts";
import styles from "./failures.module.css";

const route = getRouteApi("/inside/failures");

/** What was not investigated and why; on demand every failure, and what was decided about it. */
export function FailuresRoute(): JSX.Element {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const failures = useQuery(failuresQuery(filter));
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <PageTitle title="Failures" />
        <p className={styles.soft}>
          What Whence decided about each failure, and why, the latest first. What it decides by are the{" "}
          <Link to={paths.settingsThresholds}>incident thresholds</Link>.
        </p>
        <FailureFilters filter={filter} onChange={(search) => void navigate({ search, replace: true })} />
      </div>
      <SpentBudgetNote />
      <Loaded query={failures} lines={12}>
        {(found) => (found.length === 0 ? <Nothing filter={filter} /> : <FailureList failures={found} />)}
      </Loaded>
      {failures.data?.length === failuresMax ? (
        <p className={styles.soft}>These are the latest {failuresMax}.</p>
      ) : null}
    </div>
  );
}

function Nothing({ filter: { show, rule } }: { readonly filter: FailureFilter }): JSX.Element {
  if (show === "all") {
    return (
      <div className={styles.nothing}>
        <h2>No failure yet</h2>
        <p>Each one that a service reports stands here, with what was decided about it.</p>
      </div>
    );
  }
  return (
    <div className={styles.nothing}>
      <h2>{rule === undefined ? "Nothing was left alone" : "Nothing was left alone for that"}</h2>
      <p>
        A failure that opens no incident stands here with the reason: the budget of incidents was spent, it is muted or
        below its threshold, its environment is not monitored, or the process that fell silent was done or replaced.
      </p>
    </div>
  );
}
