import type { Incident, Prediction, Report } from "@whence/protocol";
import type { JSX } from "react";
import { Badge, type Tone } from "../../../components/badge.tsx";
import { CodeBlock } from "../../../components/code-block.tsx";
import { Markdown } from "../../../components/markdown.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { categoryName } from "../../../lib/category-name.ts";
import { readNumberedCode } from "../numbered-code.ts";
import { placeName } from "../place-name.ts";
import { codeAt } from "../quoted-code.ts";
import { AskReport } from "./ask-report.tsx";
import { Candidates } from "./candidates.tsx";
import { CausalChain } from "./causal-chain.tsx";
import { Confidence } from "./confidence.tsx";
import { EvidenceList } from "./evidence-list.tsx";
import { FailingEventNotes } from "./failing-event.tsx";
import { Cited, Prose } from "./prose.tsx";
import { QuotedLines } from "./quoted-lines.tsx";
import styles from "./report-body.module.css";
import { Section } from "./section.tsx";

/** The cause in a sentence or two, and the relevant lines. */
export function RootCause({ report }: { readonly report: Report }): JSX.Element {
  const { root_cause: cause, root_cause_summary: summary, evidence } = report;
  const quoted = codeAt(cause.location, evidence);
  return (
    <section className={styles.cause} aria-labelledby="root-cause">
      <h2 id="root-cause">Root cause</h2>
      <p className={styles.summary}>
        <Prose text={summary} />
      </p>
      <CausalChain chain={report.chain} />
      <p className={styles.soft}>
        {categoryName(cause.category)}
        {cause.service ? ` in ${cause.service}` : ""}
        {cause.location ? (
          <>
            {" · "}
            <code>{placeName(cause.location)}</code>
            {cause.location.function === null ? "" : ` in ${cause.location.function}`}
          </>
        ) : null}
      </p>
      {quoted ? <QuotedLines quoted={quoted} label="Code at the root cause" /> : null}
      <Confidence confidence={report.confidence} />
    </section>
  );
}

interface ReportDetailsProps {
  readonly incident: Incident;
  readonly report: Report;
  /** The evidence named in the URL. */
  readonly cited: string;
}

/** The rest of a report, below its summary. */
export function ReportDetails({ incident, report, cited }: ReportDetailsProps): JSX.Element {
  return (
    <>
      <AskReport key={incident.id} incidentId={incident.id} />
      <Section title="Candidates" note={`${report.candidates.length} considered`}>
        <Candidates candidates={report.candidates} evidence={report.evidence} />
      </Section>
      <Section title="Evidence" note={`${report.evidence.length} pieces`}>
        <EvidenceList evidence={report.evidence} cited={cited} />
        <FailingEventNotes incident={incident} />
      </Section>
      <Section title="Analysis">
        <Analysis source={report.detailed_analysis} />
      </Section>
      <Predictions predictions={report.predictions} />
      {report.not_checked.length > 0 ? (
        <Section title="Not checked">
          <ul className={styles.plain}>
            {report.not_checked.map((line) => (
              <li key={line}>
                <Prose text={line} />
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
    </>
  );
}

function Analysis({ source }: { readonly source: string }): JSX.Element {
  return (
    <Markdown
      source={source}
      renderText={(text) => <Cited text={text} />}
      renderCode={({ text, lang }) => {
        const code = readNumberedCode(text);
        return code ? (
          <CodeBlock
            code={code.lines.join("\n")}
            language={lang ?? ""}
            firstLine={code.firstLine}
            marked={code.markedLines}
            label="Code from the analysis"
          />
        ) : null;
      }}
    />
  );
}

const outcomeTones: Readonly<Record<Prediction["outcome"], Tone>> = {
  open: "low",
  upheld: "good",
  refuted: "critical",
};

function Predictions({ predictions }: { readonly predictions: readonly Prediction[] }): JSX.Element | null {
  if (predictions.length === 0) return null;
  return (
    <Section title="Predictions">
      <ul className={styles.predictions}>
        {predictions.map((prediction) => (
          <li key={prediction.statement}>
            <Badge tone={outcomeTones[prediction.outcome]}>{prediction.outcome}</Badge>
            <div>
              <p>
                <Prose text={prediction.statement} />
              </p>
              <p className={styles.soft}>
                <Prose text={prediction.check} />
              </p>
              {prediction.result ? (
                <p className={styles.soft}>
                  <Prose text={prediction.result.reason} /> (<TimeAgo at={prediction.result.at} />)
                </p>
              ) : null}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Why the incident was opened, and who wrote its report. */
export function Origin({ incident }: { readonly incident: Incident }): JSX.Element {
  const { decision, report } = incident;
  const model = report?.engine.model;
  return (
    <Section title="Why this incident opened">
      <p>
        It was {decision.outcome}: {decision.reason}. <span className={styles.soft}>Rule: {decision.rule}.</span>
      </p>
      {report ? (
        <p className={styles.soft}>
          Written by {report.engine.name} {report.engine.version}
          {model === undefined ? ", without a model" : ` with ${model}`}.
        </p>
      ) : null}
    </Section>
  );
}
