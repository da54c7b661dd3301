import { useQuery } from "@tanstack/react-query";
import type { Accuracy } from "@whence/protocol";
import type { JSX } from "react";
import { Loaded } from "../../components/loaded.tsx";
import { Nothing } from "../../components/nothing.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { Panel } from "../../components/panel.tsx";
import { Moment } from "../../components/time.tsx";
import { accuracyQuery } from "../../features/accuracy/api/get-accuracy.ts";
import { CalibrationChart } from "../../features/accuracy/components/calibration-chart.tsx";
import { FiguresTable } from "../../features/accuracy/components/figures-table.tsx";
import { judgedCount, percent } from "../../features/accuracy/judged.ts";
import { categoryName } from "../../lib/category-name.ts";
import styles from "./accuracy.module.css";

/** How often reports were right, according to people, agents, and predictions. */
export function AccuracyRoute(): JSX.Element {
  return (
    <div className={styles.page}>
      <PageTitle title="Accuracy" />
      <Loaded query={useQuery(accuracyQuery)} lines={8}>
        {(accuracy) =>
          judgedCount(accuracy.all) === 0 ? <NoJudgments accuracy={accuracy} /> : <Figures accuracy={accuracy} />
        }
      </Loaded>
    </div>
  );
}

function NoJudgments({ accuracy: { all } }: { readonly accuracy: Accuracy }): JSX.Element {
  return (
    <Nothing title={all.reports === 0 ? "No reports yet" : `None of the ${reports(all.reports)} has been judged yet`}>
      <p>Reports are judged in three ways. Each judgment improves the calibration of confidence:</p>
      <ul>
        <li>People answer “Right?” on the incident's page.</li>
        <li>Agents send feedback through the API.</li>
        <li>Whence checks whether the report's predictions come true.</li>
      </ul>
    </Nothing>
  );
}

function Figures({ accuracy }: { readonly accuracy: Accuracy }): JSX.Element {
  const { all, since } = accuracy;
  const bands = accuracy.bands.filter((band) => band.reports > 0);
  return (
    <>
      <p className={styles.lead}>
        <strong>{percent(all.right)}</strong> of the judged reports ({reports(judgedCount(all))}) were right. Their
        average confidence was <strong>{percent(all.confidence)}</strong>.
      </p>
      <p className={styles.soft}>
        {reports(all.reports)}
        {since === null ? null : (
          <>
            {" "}
            since <Moment at={since} />
          </>
        )}
        . Each report counts once: a person's verdict first, then an agent's, then its predictions. A partly right
        report counts half.
      </p>
      <Panel title="Calibration" note="On the dashed line, the share that was right equals the confidence.">
        <div className={styles.chart}>
          <CalibrationChart bands={accuracy.bands} />
          <FiguresTable
            label="Figures by confidence"
            of="Confidence"
            rows={bands.map((figures) => ({ name: `${percent(figures.from)} to ${percent(figures.to)}`, figures }))}
          />
        </div>
      </Panel>
      <Panel title="By category">
        <FiguresTable
          label="Figures by category"
          of="Category"
          rows={accuracy.categories.map((figures) => ({ name: categoryName(figures.category), figures }))}
        />
      </Panel>
    </>
  );
}

function reports(count: number): string {
  return count === 1 ? "1 report" : `${count.toLocaleString()} reports`;
}
