import { type Report, shortPath } from "@whence/protocol";
import type { JSX } from "react";
import { categoryName } from "../../../lib/category-name.ts";
import { Prose } from "../components/prose.tsx";
import { QuotedLines } from "../components/quoted-lines.tsx";
import { SourcePlace } from "../components/source-place.tsx";
import { DiffLines } from "../remedy/diff-lines.tsx";
import { suspectRelease } from "../suspect-release.ts";
import styles from "./cause.module.css";
import { causeLines } from "./changed-lines.ts";
import { Confidence } from "./confidence.tsx";
import { ReleaseCommits } from "./release-commits.tsx";

/** The cause in a sentence or two, the lines that it is about, who changed them in which release, and how sure that is. */
export function Cause({ report }: { readonly report: Report }): JSX.Element {
  const { root_cause: cause, root_cause_summary: summary } = report;
  const suspect = suspectRelease(report);
  const isFound = cause.category !== "unknown";
  return (
    <section className={styles.cause} aria-labelledby="root-cause">
      <h2 id="root-cause">{isFound ? "Root cause" : "No cause found"}</h2>
      <p className={styles.summary}>
        <Prose text={summary} />
      </p>
      <Lines report={report} />
      {suspect ? <ReleaseCommits suspect={suspect} /> : null}
      {isFound && suspect === null ? (
        <p className={styles.soft}>
          {categoryName(cause.category)}
          {cause.service === null ? "" : ` in ${cause.service}`}
        </p>
      ) : null}
      <Confidence confidence={report.confidence} />
    </section>
  );
}

function Lines({ report }: { readonly report: Report }): JSX.Element | null {
  const lines = causeLines(report);
  if (lines === null) return null;
  const service = report.root_cause.service ?? report.chain[0]?.service ?? null;
  const release = report.chain.find((link) => link.service === service)?.release ?? null;
  if (lines.kind === "diff") {
    return (
      <figure className={styles.lines}>
        <figcaption>
          <SourcePlace service={service} release={release} location={lines.place} withBlame />
        </figcaption>
        <DiffLines lines={lines.lines} label={`Changes in ${shortPath(lines.place.file)}`} />
      </figure>
    );
  }
  const { quoted } = lines;
  return (
    <figure className={styles.lines}>
      <figcaption>
        <SourcePlace service={service} release={release} location={quoted} withBlame />
      </figcaption>
      <QuotedLines quoted={quoted} label="Code at the root cause" />
    </figure>
  );
}
