import type { JSX } from "react";
import { skippedNames } from "../decision-names.ts";
import type { FailureFilter } from "../failure-filter.ts";
import styles from "./failure-filters.module.css";

interface FiltersProps {
  readonly filter: FailureFilter;
  readonly onChange: (filter: FailureFilter) => void;
}

/** Filters the list to failures not investigated, by reason, or shows all. The filter is in the URL. */
export function FailureFilters({ filter: { show, rule }, onChange }: FiltersProps): JSX.Element {
  return (
    <search className={styles.filters}>
      <fieldset className={styles.which} aria-label="Which failures">
        <button type="button" aria-pressed={show === undefined} onClick={() => onChange({})}>
          Not investigated
        </button>
        <button type="button" aria-pressed={show === "all"} onClick={() => onChange({ show: "all" })}>
          All
        </button>
      </fieldset>
      {show === "all" ? null : (
        <select
          aria-label="Reason"
          className={rule === undefined ? styles.reason : styles.chosen}
          value={rule ?? ""}
          onChange={({ target: { value } }) => onChange(value === "" ? {} : { rule: value })}
        >
          <option value="">Any reason</option>
          {Object.entries(withCurrent(rule)).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </search>
  );
}

/** Adds a rule from the URL that isn't one of these. */
function withCurrent(rule: string | undefined): Readonly<Record<string, string>> {
  return rule === undefined ? skippedNames : { ...skippedNames, [rule]: skippedNames[rule] ?? rule };
}
