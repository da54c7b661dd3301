import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { minuteMs } from "@whence/protocol";
import type { JSX } from "react";
import { TimeAgo } from "../../../components/time.tsx";
import { paths } from "../../../config/paths.ts";
import { useNow } from "../../../lib/use-now.ts";
import { failuresMax, failuresQuery } from "../api/list-failures.ts";
import { spentBudget } from "../spent-budget.ts";
import styles from "./spent-budget-note.module.css";

const everyMs = minuteMs;

/** Says when the hourly incident limit was reached in the last hour, and how many failures were skipped for it. */
export function SpentBudgetNote(): JSX.Element | null {
  const { data = [] } = useQuery(failuresQuery({ rule: "budget-spent" }));
  const spent = spentBudget(data, useNow(everyMs));
  if (!spent) return null;
  return (
    <p role="status" className={styles.note}>
      <strong>Hourly incident limit reached:</strong> {sayFailures(spent.failures)} in the last hour, the latest{" "}
      <TimeAgo at={spent.latestAt} />. Failures that continue are investigated once there is room.{" "}
      <Link to={paths.settingsThresholds}>Change the limit</Link>
    </p>
  );
}

function sayFailures(count: number): string {
  if (count === 1) return "1 failure wasn't investigated";
  return `${count}${count === failuresMax ? " or more" : ""} failures weren't investigated`;
}
