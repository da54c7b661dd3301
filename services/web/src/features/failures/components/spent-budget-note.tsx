import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { JSX } from "react";
import { TimeAgo } from "../../../components/time.tsx";
import { paths } from "../../../config/paths.ts";
import { useNow } from "../../../lib/use-now.ts";
import { failuresMax, failuresQuery } from "../api/list-failures.ts";
import { spentBudget } from "../spent-budget.ts";
import styles from "./spent-budget-note.module.css";

const everyMs = 60_000;

/** Says so when the budget of incidents was spent in the last hour, and how many failures that left alone. */
export function SpentBudgetNote(): JSX.Element | null {
  const { data = [] } = useQuery(failuresQuery({ rule: "budget-spent" }));
  const spent = spentBudget(data, useNow(everyMs));
  if (!spent) return null;
  return (
    <p role="status" className={styles.note}>
      <strong>The budget of incidents was spent:</strong> {sayFailures(spent.failures)} in the last hour, the latest{" "}
      <TimeAgo at={spent.latestAt} />. What still comes when it is back is investigated then.{" "}
      <Link to={paths.settingsThresholds}>How large it is</Link>
    </p>
  );
}

function sayFailures(count: number): string {
  if (count === 1) return "1 failure was not investigated";
  return `${count}${count === failuresMax ? " or more" : ""} failures were not investigated`;
}
