import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ModelRun } from "@whence/protocol";
import { type JSX, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { TextArea } from "../../../components/text-area.tsx";
import { Moment } from "../../../components/time.tsx";
import { paths } from "../../../config/paths.ts";
import { modelPromptsQuery, modelRunsQuery } from "../api/model.ts";
import { useViewer } from "../viewer.ts";
import { usdText } from "./usd-text.ts";

const count = new Intl.NumberFormat();

/** The outcomes of a run, as facts about it. */
const outcomeNames: Readonly<Record<string, string>> = {
  answered: "answered",
  nothing_held: "nothing held",
  stopped: "stopped with the service",
  "too-slow": "took too long",
  "rate-limited": "rate limited by the provider",
  unavailable: "provider unavailable",
  rejected: "rejected by the provider",
  refused: "declined to answer",
  disclosed: "repeated its instructions",
  "cut-off": "answer cut off",
  unreadable: "answer unreadable",
  budget: "budget used up",
};

/** The newest investigations and questions with a model: what each used, and for owners, what was sent. */
export function ModelRuns(): JSX.Element {
  const runs = useQuery(modelRunsQuery);
  return (
    <Panel title="What the model was asked">
      <Loaded query={runs} lines={4}>
        {(data) => (
          <Rows none="No investigation or question has used a model yet.">
            {data.runs.map((run) => (
              <RunRow key={run.id} run={run} />
            ))}
          </Rows>
        )}
      </Loaded>
    </Panel>
  );
}

function RunRow({ run }: { readonly run: ModelRun }): JSX.Element {
  const { isOwner } = useViewer();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Row
      title={
        <Link to={paths.incident} params={{ id: run.incident_id }}>
          <Moment at={run.started_at} />
        </Link>
      }
      facts={[
        run.name,
        run.purpose,
        outcomeNames[run.outcome] ?? run.outcome,
        `${count.format(run.input_tokens + run.output_tokens)} tokens`,
        run.cost_usd === null ? "cost unknown" : usdText(run.cost_usd),
        `${(run.duration_ms / 1_000).toFixed(1)} s`,
        replaced(run),
      ]}
      actions={
        isOwner ? (
          <Button
            aria-expanded={isOpen}
            aria-label={`${isOpen ? "Hide" : "Show"} what was sent on ${run.started_at}`}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? "Hide what was sent" : "Show what was sent"}
          </Button>
        ) : null
      }
    >
      {isOpen ? <Prompts run={run} /> : null}
    </Row>
  );
}

function replaced(run: ModelRun): string {
  const kinds = Object.entries(run.replaced).filter(([, times]) => times > 0);
  if (kinds.length === 0) return "nothing replaced";
  return `replaced: ${kinds.map(([kind, times]) => `${times} ${kind}`).join(", ")}`;
}

function Prompts({ run }: { readonly run: ModelRun }): JSX.Element {
  const prompts = useQuery(modelPromptsQuery(run.id));
  return (
    <Loaded query={prompts} lines={6}>
      {(data) => (
        <>
          {data.prompts.length === 0 ? <p>The prompts are no longer kept.</p> : null}
          {data.prompts.map(({ text, is_cut: isCut, sent_at: sentAt }, index) => (
            <TextArea
              key={`${index} ${sentAt}`}
              label={`Prompt ${index + 1}`}
              hint={isCut ? "The end was too long to keep." : undefined}
              rows={10}
              readOnly
              spellCheck={false}
              value={text}
            />
          ))}
          {run.prompts_omitted > 0 ? <p>{run.prompts_omitted} more were too many to keep.</p> : null}
        </>
      )}
    </Loaded>
  );
}
