import type { SharedReport } from "@whence/protocol";
import type { JSX, ReactNode } from "react";
import { PageTitle } from "../../../components/page-title.tsx";
import { Panel } from "../../../components/panel.tsx";
import { SeverityBadge } from "../../../components/severity-badge.tsx";
import { Moment, Timed } from "../../../components/time.tsx";
import { categoryName } from "../../../lib/category-name.ts";
import { ownLine } from "../../../lib/own-line.ts";
import styles from "./shared-report.module.css";

/** What people without an account see of a report. */
export function SharedReportView({ report }: { readonly report: SharedReport }): JSX.Element {
  const { title, severity, service, env, created_at, expires_at, root_cause: cause, confidence } = report;
  const { chain, do_now: now, prevent, not_checked: unchecked } = report;
  return (
    <article className={styles.report}>
      <header className={styles.head}>
        <PageTitle title={title} />
        <p className={styles.meta}>
          <SeverityBadge severity={severity} />
          <span>{ownLine(report.state)}</span>
          <span>{[service, env].filter((part) => part !== null).join(" · ")}</span>
          <span>
            opened <Moment at={created_at} />
          </span>
        </p>
      </header>
      <Panel title="Root cause">
        <p className={styles.summary}>
          <Code text={cause.summary} />
        </p>
        <p className={styles.soft}>
          {categoryName(cause.category)}
          {cause.service === null ? "" : ` in ${cause.service}`}
          {cause.location === null ? "" : `, ${placeText(cause.location)}`}
        </p>
        <p>{confidence}</p>
      </Panel>
      <Impact impact={report.impact} />
      {now.length > 0 ? (
        <Panel title="Do now">
          <Solutions solutions={now} />
        </Panel>
      ) : null}
      {chain.length > 0 ? (
        <Panel title="How it happened">
          <ol className={styles.chain}>
            {chain.map(({ what, service: of, release, location, at }, index) => (
              <li key={`${index} ${what}`}>
                <Code text={ownLine(what)} />
                <p className={styles.soft}>
                  {[
                    [of, release].filter((part) => part !== null).join(" "),
                    location === null ? "" : placeText(location),
                  ]
                    .filter((part) => part !== "")
                    .join(" · ")}
                  {at === null ? null : (
                    <>
                      {of === null && release === null && location === null ? null : " · "}
                      <Moment at={at} />
                    </>
                  )}
                </p>
              </li>
            ))}
          </ol>
        </Panel>
      ) : null}
      {prevent.length > 0 ? (
        <Panel title="Prevent it">
          <Solutions solutions={prevent} />
        </Panel>
      ) : null}
      {unchecked.length > 0 ? (
        <Panel title="Not checked">
          <ul className={styles.list}>
            {unchecked.map((line) => (
              <li key={line}>
                <Code text={line} />
              </li>
            ))}
          </ul>
        </Panel>
      ) : null}
      <footer className={styles.soft}>
        A shared report of Whence, without the evidence behind it. This link works until <Moment at={expires_at} />.
      </footer>
    </article>
  );
}

function Impact({ impact }: { readonly impact: SharedReport["impact"] }): JSX.Element | null {
  const { events, first_seen: first, last_seen: last, releases, services } = impact;
  if (events === 0) return null;
  return (
    <Panel title="Impact">
      <ul className={styles.impact}>
        <li>
          {events.toLocaleString()} {events === 1 ? "event" : "events"}
        </li>
        {first === null ? null : (
          <li>
            since <Moment at={first} />
          </li>
        )}
        {last === null ? null : (
          <li>
            last seen <Moment at={last} />
          </li>
        )}
        {services.length > 0 ? <li>in {services.join(", ")}</li> : null}
        {releases.length > 0 ? <li>in release {releases.join(", ")}</li> : null}
      </ul>
    </Panel>
  );
}

function Solutions({ solutions }: { readonly solutions: SharedReport["do_now"] }): JSX.Element {
  return (
    <ul className={styles.solutions}>
      {solutions.map(({ title, detail }) => (
        <li key={title}>
          <h3>
            <Code text={title} />
          </h3>
          <p className={styles.soft}>
            <Code text={detail} />
          </p>
        </li>
      ))}
    </ul>
  );
}

/** A sentence whose text between backticks is code, and whose times are in the reader's time zone. */
function Code({ text }: { readonly text: string }): ReactNode {
  return text
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : <Timed key={index} text={part} />));
}

function placeText({ file, line }: { readonly file: string; readonly line: number | null }): string {
  return line === null ? file : `${file}:${line}`;
}
