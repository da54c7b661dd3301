import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SavedView, viewChangeSchema } from "@whence/protocol";
import type { JSX } from "react";
import { Button } from "../../../components/button.tsx";
import { Choices } from "../../../components/choices.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Field } from "../../../components/field.tsx";
import { Form } from "../../../components/form.tsx";
import { Problem } from "../../../components/problem.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { toasts } from "../../../components/toasts.tsx";
import { chosenOf } from "../../../lib/chosen.ts";
import { checkFields } from "../../../lib/field-problems.ts";
import { deleteView, replaceView, saveView, viewsQuery } from "../api/views.ts";
import { appliedView, keptFilter } from "./applied-view.ts";
import type { IncidentFilter } from "./incident-filter.ts";
import styles from "./views-dialog.module.css";

const sharing = [{ value: "shared", name: "Share with every member of the organization" }];

interface ViewsDialogProps {
  readonly filter: IncidentFilter;
  readonly views: readonly SavedView[];
  readonly onClose: () => void;
}

/** Saves the filters that are set as a view, and lists one's own views to share or delete them. */
export default function ViewsDialog({ filter, views, onClose }: ViewsDialogProps): JSX.Element {
  const own = views.filter(({ mine }) => mine);
  return (
    <Dialog open onOpenChange={onClose} title="Views">
      <div className={styles.body}>
        <SaveView filter={filter} applied={appliedView(views, filter)} onSaved={onClose} />
        <Rows none="You have saved no views.">
          {own.map((view) => (
            <ViewRow key={view.id} view={view} />
          ))}
        </Rows>
      </div>
    </Dialog>
  );
}

interface SaveViewProps {
  readonly filter: IncidentFilter;
  /** The view that has these filters already. */
  readonly applied: SavedView | undefined;
  readonly onSaved: () => void;
}

function SaveView({ filter, applied, onSaved }: SaveViewProps): JSX.Element {
  const queryClient = useQueryClient();
  const kept = keptFilter(filter);
  if (Object.keys(kept).length === 0) {
    return <p className={styles.soft}>Set filters, a search, or an order to save them as a view.</p>;
  }
  if (applied) return <p className={styles.soft}>The filters that are set are those of {applied.name}.</p>;
  return (
    <Form
      action="Save view"
      noValidate
      submit={async (fields) => {
        const shared = chosenOf(fields, "sharing", sharing).length > 0;
        const saved = await saveView(checkFields(viewChangeSchema, { name: fields.name, filter: kept, shared }));
        toasts.add({ title: `${saved.name} saved` });
        await queryClient.invalidateQueries(viewsQuery);
        onSaved();
      }}
    >
      {(problems) => (
        <>
          <Field
            label="Name"
            name="name"
            autoComplete="off"
            hint="For the filters, the search, and the order that are set now."
            problem={problems.name}
          />
          <Choices label="Sharing" name="sharing" chosen={[]} options={sharing} />
        </>
      )}
    </Form>
  );
}

function ViewRow({ view }: { readonly view: SavedView }): JSX.Element {
  const queryClient = useQueryClient();
  const { id, name, filter, shared } = view;
  const changing = useMutation({
    mutationFn: (action: "switch" | "delete"): Promise<unknown> =>
      action === "delete" ? deleteView(id) : replaceView(id, { name, filter, shared: !shared }),
    onSuccess: () => queryClient.invalidateQueries(viewsQuery),
  });
  const { isPending, error, mutate } = changing;
  return (
    <Row
      title={name}
      facts={[shared ? "shared" : "only you", ...Object.entries(filter).map(([field, value]) => `${field}: ${value}`)]}
      actions={
        <>
          <Button
            busy={isPending}
            aria-label={`${shared ? "Stop sharing" : "Share"} ${name}`}
            onClick={() => mutate("switch")}
          >
            {shared ? "Stop sharing" : "Share"}
          </Button>
          <Button look="danger" busy={isPending} aria-label={`Delete ${name}`} onClick={() => mutate("delete")}>
            Delete
          </Button>
        </>
      }
    >
      {error ? <Problem error={error} /> : null}
    </Row>
  );
}
