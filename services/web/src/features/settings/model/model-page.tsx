import { useMutation, useQuery } from "@tanstack/react-query";
import { type ModelStatus, modelProviders } from "@whence/protocol";
import type { JSX } from "react";
import { Badge } from "../../../components/badge.tsx";
import { Button } from "../../../components/button.tsx";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { checkModel, disconnectModel, modelQuery, switchOperatorsModel } from "../api/model.ts";
import styles from "../components/settings-page.module.css";
import { SettingsPage } from "../components/settings-page.tsx";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import { ModelForm } from "./model-form.tsx";
import { ModelRuns } from "./model-runs.tsx";
import { ModelUsagePanel } from "./model-usage-panel.tsx";
import { usedUpText } from "./used-up-text.ts";

/** The language model that investigations may use. */
export function ModelPage(): JSX.Element {
  const { isOwner } = useViewer();
  const model = useQuery(modelQuery);
  return (
    <SettingsPage
      title="Language model"
      lead={
        <>
          A model follows up on a finished report with more leads. Its findings count only where the evidence that they
          quote is there. Without a model, everything works. <a href="/docs/models">Connect a model</a>
        </>
      }
      owners="can connect a model and read what was sent to it"
    >
      <Loaded query={model} lines={12}>
        {(status) => (
          <>
            <Connected status={status} />
            <ModelUsagePanel status={status} />
            <Sent days={status.prompts_kept_days} />
            {isOwner ? (
              <Panel title={status.source === "organization" ? "Change the model" : "Connect your own model"}>
                <ModelForm
                  key={status.model?.changed_at ?? "none"}
                  current={status.source === "organization" ? status.model : null}
                />
              </Panel>
            ) : null}
          </>
        )}
      </Loaded>
      <ModelRuns />
    </SettingsPage>
  );
}

function Connected({ status }: { readonly status: ModelStatus }): JSX.Element {
  const { model, source, used_up: usedUp, installation } = status;
  const { isOwner } = useViewer();
  const state = usedUp === null ? <Badge tone="good">on</Badge> : <Badge tone="critical">budget used up</Badge>;
  return (
    <Panel title="Model in use">
      <Rows none="No model connected. Investigations send nothing to a model.">
        {model === null
          ? []
          : [
              <Row
                key="model"
                title={
                  <>
                    {model.name} {state}
                  </>
                }
                facts={[
                  modelProviders[model.provider].label,
                  ...Object.values(model.inputs),
                  source === "installation"
                    ? "Configured by the operator for every organization"
                    : `Connected by ${model.changed_by?.name ?? "an owner"}`,
                ]}
                // What a check came to is about the model that was checked.
                actions={
                  isOwner ? (
                    <Actions key={model.changed_at ?? "installation"} source={source} name={model.name} />
                  ) : null
                }
              >
                {usedUp === null ? null : <p role="status">{usedUpText(usedUp, isOwner ? source : null)}</p>}
              </Row>,
            ]}
      </Rows>
      {installation.offered && installation.refused ? <Refused by={installation.refused.by.name} /> : null}
    </Panel>
  );
}

/** An owner turned the operator's model off. */
function Refused({ by }: { readonly by: string }): JSX.Element {
  const { isOwner } = useViewer();
  const change = useChange();
  const switching = useMutation({ mutationFn: () => change(switchOperatorsModel(true), "Operator's model turned on") });
  return (
    <div className={styles.stack}>
      <p className={styles.soft}>{by} turned off the model that the operator offers to every organization.</p>
      {isOwner ? (
        <div>
          <Button busy={switching.isPending} onClick={() => switching.mutate()}>
            Turn on the operator's model
          </Button>
        </div>
      ) : null}
      {switching.error ? <Problem error={switching.error} /> : null}
    </div>
  );
}

function Actions({ source, name }: Pick<ModelStatus, "source"> & { readonly name: string }): JSX.Element {
  const change = useChange();
  const checking = useMutation({ mutationFn: checkModel });
  return (
    <div className={styles.stack}>
      <div>
        <Button busy={checking.isPending} onClick={() => checking.mutate()}>
          Check model
        </Button>{" "}
        {source === "organization" ? (
          <ConfirmButton
            label="Disconnect"
            of={name}
            title={`Disconnect ${name}?`}
            action={() => change(disconnectModel(), "Model disconnected")}
          >
            <p>Investigations won't use it any longer, and its stored credentials will be deleted.</p>
          </ConfirmButton>
        ) : (
          <ConfirmButton
            label="Turn off"
            of={name}
            title={`Turn off ${name}?`}
            action={() => change(switchOperatorsModel(false), "Operator's model turned off")}
          >
            <p>
              Investigations of this organization will send nothing to the operator's model. An owner can turn it on.
            </p>
          </ConfirmButton>
        )}
      </div>
      {checking.data ? <p role="status">It answered in {(checking.data.duration_ms / 1_000).toFixed(1)} s.</p> : null}
      {checking.error ? <Problem error={checking.error} /> : null}
    </div>
  );
}

function Sent({ days }: { readonly days: number }): JSX.Element {
  return (
    <Panel title="What is sent">
      <p>
        With a model, an investigation sends it parts of the error, log lines, source code, changes, and answers of
        integrations that it needs. First, API keys, tokens, passwords, email addresses, and card and account numbers
        are replaced by labels such as [email 1]. Recognition isn't perfect: connect a model on your own machine if
        nothing may leave it.
      </p>
      <p className={styles.soft}>Owners can read below what was sent in the last {days} days.</p>
    </Panel>
  );
}
