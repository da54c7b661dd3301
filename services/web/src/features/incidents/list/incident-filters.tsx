import { useQuery } from "@tanstack/react-query";
import { type IncidentSort, incidentSorts, incidentStatuses, lifecycleStates, severities } from "@whence/protocol";
import { type JSX, type RefObject, useEffect, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { incidentFacetsQuery } from "../api/get-facets.ts";
import { statusNames } from "../components/status-badge.tsx";
import { triggerKinds, triggerName } from "../trigger-names.ts";
import {
  changedFilter,
  type FilterChoice,
  type IncidentFilter,
  isNarrowed,
  spanNames,
  spans,
  withCurrent,
} from "./incident-filter.ts";
import styles from "./incident-filters.module.css";

const searchDelayMs = 250;
/** The owners that the filter offers; others are named in the search. */
const owners: readonly FilterChoice[] = [
  ["me", "mine"],
  ["none", "no owner"],
];

const sortNames: Readonly<Record<IncidentSort, string>> = {
  newest: "Newest first",
  "last-seen": "Last seen first",
  events: "Most events first",
  confidence: "Most confident first",
};

interface FiltersProps {
  readonly filter: IncidentFilter;
  readonly onChange: (filter: IncidentFilter) => void;
  readonly searchRef: RefObject<HTMLInputElement | null>;
}

/** The filters of the list, which are in the URL. */
export function IncidentFilters({ filter, onChange, searchRef }: FiltersProps): JSX.Element {
  const { data: facets } = useQuery(incidentFacetsQuery);
  const set = (name: keyof IncidentFilter, value: string): void => onChange(changedFilter(filter, name, value));
  const choices: readonly (readonly [keyof IncidentFilter, string, readonly FilterChoice[]])[] = [
    ["state", "Any state", lifecycleStates.map((state) => [state, state])],
    ["owner", "Any owner", owners],
    ["status", "Any status", incidentStatuses.map((status) => [status, statusNames[status]])],
    ["severity", "Any severity", severities.toReversed().map((severity) => [severity, severity])],
    ["service", "Any service", named(facets?.services)],
    ["env", "Any env", named(facets?.envs)],
    ["trigger", "Any trigger", triggerKinds.map((kind) => [kind, triggerName(kind)])],
    ["span", "Any time", spanNames.map((name) => [name, spans[name].label])],
  ];
  return (
    <search className={styles.filters}>
      <Search value={filter.search ?? ""} onChange={(text) => set("search", text)} inputRef={searchRef} />
      {choices.map(([name, any, options]) => (
        <select
          key={name}
          aria-label={any.replace("Any ", "").replace(/^./, (letter) => letter.toUpperCase())}
          className={filter[name] === undefined ? styles.select : styles.chosen}
          value={filter[name] ?? ""}
          onChange={({ target }) => set(name, target.value)}
        >
          <option value="">{any}</option>
          {withCurrent(options, filter[name]).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      ))}
      <select
        aria-label="Sort"
        className={filter.sort === undefined ? styles.select : styles.chosen}
        value={filter.sort ?? "newest"}
        onChange={({ target }) => set("sort", target.value)}
      >
        {incidentSorts.map((sort) => (
          <option key={sort} value={sort}>
            {sortNames[sort]}
          </option>
        ))}
      </select>
      {isNarrowed(filter) ? (
        <Button look="quiet" icon="close" onClick={() => onChange({ sort: filter.sort })}>
          Clear
        </Button>
      ) : null}
    </search>
  );
}

function named(values: readonly string[] | undefined): FilterChoice[] {
  return (values ?? []).map((value) => [value, value]);
}

interface SearchProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly inputRef: RefObject<HTMLInputElement | null>;
}

function Search({ value, onChange, inputRef }: SearchProps): JSX.Element {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => onChange(text.trim()), searchDelayMs);
    return () => clearTimeout(timer);
  });
  return (
    <div className={styles.search}>
      <Icon name="search" />
      <input
        ref={inputRef}
        type="search"
        aria-label="Search incidents"
        placeholder="Text, service:cart, is:open"
        maxLength={200}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === "Escape") currentTarget.blur();
        }}
      />
    </div>
  );
}
