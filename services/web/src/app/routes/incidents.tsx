import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type JSX, Suspense, useMemo, useRef } from "react";
import { lazyPart } from "../../components/lazy-part.tsx";
import { Nothing } from "../../components/nothing.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { Placeholder } from "../../components/placeholder.tsx";
import { Problem } from "../../components/problem.tsx";
import { paths } from "../../config/paths.ts";
import { incidentHeadQuery, incidentPagesQuery } from "../../features/incidents/api/list-incidents.ts";
import { isNarrowed } from "../../features/incidents/list/incident-filter.ts";
import { IncidentFilters } from "../../features/incidents/list/incident-filters.tsx";
import { IncidentList } from "../../features/incidents/list/incident-list.tsx";
import { mergeHead } from "../../features/incidents/list/merge-head.ts";
import { useSelection } from "../../features/incidents/list/use-selection.ts";
import { ViewPicker } from "../../features/incidents/list/view-picker.tsx";
import { useKeys } from "../../lib/use-keys.ts";
import styles from "./incidents.module.css";

const BulkActions = lazyPart(() => import("../../features/incidents/list/bulk-actions.tsx"));

const route = getRouteApi("/inside/incidents");

/** The organization's incidents, newest first unless sorted otherwise, updated live. */
export function IncidentsRoute(): JSX.Element {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const searchRef = useRef<HTMLInputElement>(null);
  const pages = useInfiniteQuery(incidentPagesQuery(filter));
  const head = useQuery(incidentHeadQuery(filter));
  const incidents = useMemo(
    () => mergeHead(pages.data?.pages ?? [], head.data ?? {}, filter.sort),
    [pages.data, head.data, filter.sort],
  );
  const selection = useSelection(filter);
  const selected = incidents.filter(({ id }) => selection.ids.has(id));
  useKeys({ "/": () => searchRef.current?.focus() });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <div className={styles.title}>
          <PageTitle title="Incidents" />
          <div className={styles.views}>
            <ViewPicker filter={filter} onChange={(search) => void navigate({ search, replace: true })} />
            <Link to={paths.failures}>See failures not investigated</Link>
          </div>
        </div>
        <IncidentFilters
          filter={filter}
          searchRef={searchRef}
          onChange={(search) => void navigate({ search, replace: true })}
        />
      </div>
      {pages.error ? <Problem error={pages.error} retry={() => void pages.refetch()} /> : null}
      {pages.isPending ? <Placeholder lines={12} /> : null}
      {incidents.length > 0 ? (
        <IncidentList
          incidents={incidents}
          hasMore={hasNextPage}
          selection={selection}
          loadMore={() => {
            if (!isFetchingNextPage) void fetchNextPage();
          }}
        />
      ) : null}
      <Suspense>
        {selected.length > 0 ? <BulkActions incidents={selected} clear={() => selection.replace([])} /> : null}
      </Suspense>
      {pages.data && incidents.length === 0 ? (
        <div className={styles.none}>
          <NoIncidents isNarrowed={isNarrowed(filter)} />
        </div>
      ) : null}
    </div>
  );
}

function NoIncidents({ isNarrowed }: { readonly isNarrowed: boolean }): JSX.Element {
  return (
    <Nothing title={isNarrowed ? "No matching incidents" : "No incidents yet"}>
      <p>
        {isNarrowed
          ? "No incident matches these filters. Clear one to see more."
          : "An incident opens when a service that reports to Whence fails, or when someone starts an analysis."}
      </p>
    </Nothing>
  );
}
