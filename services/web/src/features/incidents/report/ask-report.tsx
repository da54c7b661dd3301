import { useMutation } from "@tanstack/react-query";
import { limits, type QuestionAnswer } from "@whence/protocol";
import type { FormEvent, JSX } from "react";
import { Button } from "../../../components/button.tsx";
import { CodeBlock } from "../../../components/code-block.tsx";
import { ExternalLink } from "../../../components/external-link.tsx";
import { Field } from "../../../components/field.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Timed } from "../../../components/time.tsx";
import { withReportTimes } from "../../../lib/times.ts";
import { askIncident } from "../api/ask-incident.ts";
import styles from "./ask-report.module.css";

type Answer = QuestionAnswer["answer"];

/** A question about the report, answered in the report's own words, or by a language model that quotes evidence. */
export default function AskReport({ incidentId }: { readonly incidentId: string }): JSX.Element {
  const asking = useMutation({ mutationFn: (question: string) => askIncident(incidentId, question) });
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const question = String(new FormData(event.currentTarget).get("question") ?? "").trim();
    if (question !== "") asking.mutate(question);
  };
  return (
    <>
      <p className={styles.soft}>
        Answers come from this report and what it quotes. A connected language model gets the question and what it needs
        of them, of telemetry, and of connected integrations.
      </p>
      <form onSubmit={onSubmit} className={styles.form}>
        <Field
          label="Question"
          name="question"
          maxLength={limits.questionLengthMax}
          placeholder="Which release broke it?"
          autoComplete="off"
        />
        <Button type="submit" busy={asking.isPending}>
          Ask
        </Button>
      </form>
      <div role="status" className={styles.answer}>
        {asking.data ? <Answered answer={asking.data} /> : null}
      </div>
      {asking.error ? <Problem error={asking.error} /> : null}
    </>
  );
}

function Answered({ answer: { headline, parts } }: { readonly answer: Answer }): JSX.Element {
  return (
    <>
      <p>
        <strong>
          <Said text={headline} />
        </strong>
      </p>
      {parts.map((part, index) => (
        <AnswerPart key={index} part={part} number={index + 1} />
      ))}
    </>
  );
}

function AnswerPart({
  part,
  number,
}: {
  readonly part: Answer["parts"][number];
  readonly number: number;
}): JSX.Element {
  switch (part.kind) {
    case "paragraph":
      return (
        <p>
          {part.label === null ? null : <strong>{part.label}: </strong>}
          <Said text={part.text} />
        </p>
      );
    case "steps":
      return (
        <div>
          <p>
            <strong>{part.label}</strong>
          </p>
          <ol>
            {part.steps.map((step) => (
              <li key={step}>
                <Said text={step} />
              </li>
            ))}
          </ol>
        </div>
      );
    case "quote":
      return (
        <figure>
          <CodeBlock code={part.text} language="" label={`Answer, part ${number}: quoted evidence`} />
          <figcaption>
            {part.url === null ? part.source : <ExternalLink href={part.url}>{part.source}</ExternalLink>}
          </figcaption>
        </figure>
      );
    case "facts":
      return (
        <p className={styles.soft}>
          <Said text={part.facts.join(" · ")} />
        </p>
      );
  }
}

/** Text whose times are as elsewhere on the page. */
function Said({ text }: { readonly text: string }): JSX.Element {
  return <Timed text={withReportTimes(text)} />;
}
