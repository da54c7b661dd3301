import type { Report, Solution } from "@whence/protocol";
import type { JSX } from "react";
import { Citations, Prose } from "./prose.tsx";
import { Section } from "./section.tsx";
import styles from "./solutions.module.css";

/** What to do now, and what prevents it. */
export function Solutions({ report }: { readonly report: Report }): JSX.Element {
  return (
    <Section title="What to do">
      <div className={styles.solutions}>
        <SolutionList title="Fix now" solutions={report.short_term_solutions} />
        <SolutionList title="Prevent it" solutions={report.long_term_solutions} />
      </div>
    </Section>
  );
}

interface SolutionListProps {
  readonly title: string;
  readonly solutions: readonly Solution[];
}

function SolutionList({ title, solutions }: SolutionListProps): JSX.Element {
  return (
    <div>
      <h3>{title}</h3>
      {solutions.length === 0 ? <p className={styles.detail}>No suggestions.</p> : null}
      <ul>
        {solutions.map((solution) => (
          <li key={solution.title}>
            <h4>
              <Prose text={solution.title} />
            </h4>
            <p className={styles.detail}>
              <Prose text={solution.detail} /> <Citations ids={solution.evidence_ids} />
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
