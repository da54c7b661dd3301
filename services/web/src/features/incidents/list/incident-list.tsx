import { useNavigate } from "@tanstack/react-router";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { bulkChangeLimits, type IncidentSummary } from "@whence/protocol";
import { type JSX, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { paths } from "../../../config/paths.ts";
import { useKeys } from "../../../lib/use-keys.ts";
import styles from "./incident-list.module.css";
import { IncidentHeads, IncidentRow } from "./incident-row.tsx";
import type { Selection } from "./use-selection.ts";
import { useTrends } from "./use-trends.ts";

const wideRowPx = 56;
const narrowRowPx = 108;
const narrow = "(max-width: 56rem)";
/** Rows rendered beyond the visible ones. */
const overscan = 12;
/** The next page is requested when this many rows are left. */
const rowsAhead = 40;

export interface IncidentListProps {
  readonly incidents: readonly IncidentSummary[];
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  readonly selection: Selection;
}

/**
 * A list of any length, which renders only the visible rows. j and k move through it; Enter and o open an incident; x
 * selects it.
 */
export function IncidentList({ incidents, hasMore, loadMore, selection }: IncidentListProps): JSX.Element {
  const listRef = useRef<HTMLUListElement>(null);
  const [offset, setOffset] = useState(0);
  const rowPx = useRowHeight();
  // The heads above it are shown on wide screens only.
  useLayoutEffect(() => setOffset(listRef.current?.offsetTop ?? 0), [rowPx]);
  // Memoized, because a new function makes the virtualizer measure every row again in each frame.
  const getItemKey = useCallback((index: number) => incidents[index]?.id ?? index, [incidents]);
  const virtualizer = useWindowVirtualizer({
    count: incidents.length,
    estimateSize: () => rowPx,
    overscan,
    scrollMargin: offset,
    getItemKey,
  });
  useLayoutEffect(() => virtualizer.measure(), [rowPx]);

  const rows = virtualizer.getVirtualItems();
  const last = rows.at(-1)?.index ?? 0;
  const trendOf = useTrends(rows.flatMap(({ index }) => incidents[index] ?? []));
  useEffect(() => {
    if (hasMore && last >= incidents.length - rowsAhead) loadMore();
  }, [hasMore, last, incidents.length, loadMore]);
  useRowKeys(incidents, { scrollTo: (index) => virtualizer.scrollToIndex(index), select: selection.toggle });

  return (
    <>
      <div className={styles.heads}>
        <SelectAll incidents={incidents} selection={selection} />
        <IncidentHeads />
      </div>
      <ul ref={listRef} className={styles.list} aria-label="Incidents" style={{ height: virtualizer.getTotalSize() }}>
        {rows.map(({ key, index, start, size }) => {
          const incident = incidents[index];
          return incident ? (
            <li
              key={key}
              aria-setsize={hasMore ? -1 : incidents.length}
              aria-posinset={index + 1}
              className={styles.item}
              style={{ height: size, transform: `translateY(${start - offset}px)` }}
            >
              <Mark
                label={`Select ${incident.title}`}
                isChecked={selection.ids.has(incident.id)}
                onChange={() => selection.toggle(incident.id)}
              />
              <IncidentRow incident={incident} id={rowId(incident.id)} trend={trendOf(incident)} />
            </li>
          ) : null;
        })}
      </ul>
    </>
  );
}

interface MarkProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onChange: () => void;
}

function Mark({ label, isChecked, onChange }: MarkProps): JSX.Element {
  return (
    <label className={styles.mark}>
      <input type="checkbox" aria-label={label} checked={isChecked} onChange={onChange} />
    </label>
  );
}

/** Selects what is loaded, as far as one request can change it, or nothing. */
function SelectAll({ incidents, selection }: Pick<IncidentListProps, "incidents" | "selection">): JSX.Element {
  const ids = incidents.map(({ id }) => id).slice(0, bulkChangeLimits.incidentsPerChangeMax);
  const isChecked = ids.every((id) => selection.ids.has(id));
  return (
    <Mark
      label={`Select the first ${ids.length.toLocaleString()}`}
      isChecked={isChecked}
      onChange={() => selection.replace(isChecked ? [] : ids)}
    />
  );
}

const rowId = (id: string): string => `row-${id}`;

function useRowHeight(): number {
  const [isNarrow, setNarrow] = useState(() => window.matchMedia(narrow).matches);
  useEffect(() => {
    const media = window.matchMedia(narrow);
    const onChange = (): void => setNarrow(media.matches);
    media.addEventListener("change", onChange);
    return () => media.removeEventListener("change", onChange);
  }, []);
  return isNarrow ? narrowRowPx : wideRowPx;
}

interface RowActions {
  readonly scrollTo: (index: number) => void;
  readonly select: (id: string) => void;
}

/** Tracks the row by ID, so that rows added above don't move the focus. */
function useRowKeys(incidents: readonly IncidentSummary[], { scrollTo, select }: RowActions): void {
  const navigate = useNavigate();
  const current = useRef<string | null>(null);
  /** The row that is about to have the focus: the next key may come first. */
  const coming = useRef<string | null>(null);
  const focused = (): string | undefined =>
    coming.current ?? incidents.find(({ id }) => rowId(id) === document.activeElement?.id)?.id;
  const go = (step: number): void => {
    const from = focused() ?? (document.activeElement?.id === "" ? current.current : null);
    const at = incidents.findIndex(({ id }) => id === from);
    const index = at < 0 ? 0 : Math.max(0, Math.min(incidents.length - 1, at + step));
    const incident = incidents[index];
    if (!incident) return;
    current.current = incident.id;
    coming.current = incident.id;
    scrollTo(index);
    // The row is rendered in the frame after the one that scrolls.
    requestAnimationFrame(() => requestAnimationFrame(() => arrive(incident.id)));
  };
  const arrive = (id: string): void => {
    if (coming.current !== id) return;
    coming.current = null;
    document.getElementById(rowId(id))?.focus();
  };
  const open = (): void => {
    const id = focused();
    if (id !== undefined) void navigate({ to: paths.incident, params: { id } });
  };
  useKeys({
    j: () => go(1),
    k: () => go(-1),
    ArrowDown: () => go(1),
    ArrowUp: () => go(-1),
    x: () => {
      const id = focused();
      if (id !== undefined) select(id);
    },
    o: open,
    Enter: open,
  });
}
