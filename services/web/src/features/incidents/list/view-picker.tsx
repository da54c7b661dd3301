import { useQuery } from "@tanstack/react-query";
import type { SavedView } from "@whence/protocol";
import { type JSX, Suspense, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { lazyPart } from "../../../components/lazy-part.tsx";
import { useKeys } from "../../../lib/use-keys.ts";
import { viewsQuery } from "../api/views.ts";
import { appliedView, filterOf } from "./applied-view.ts";
import type { IncidentFilter } from "./incident-filter.ts";
import styles from "./incident-filters.module.css";

const ViewsDialog = lazyPart(() => import("./views-dialog.tsx"));

interface ViewPickerProps {
  readonly filter: IncidentFilter;
  readonly onChange: (filter: IncidentFilter) => void;
}

/** Applies saved views, and opens the dialog that saves and deletes them: `v`. */
export function ViewPicker({ filter, onChange }: ViewPickerProps): JSX.Element {
  const { data: views = [] } = useQuery(viewsQuery);
  const [isOpen, setOpen] = useState(false);
  useKeys({ v: () => setOpen(true) });
  const applied = appliedView(views, filter);
  const apply = (id: string): void => {
    const view = views.find((one) => one.id === id);
    onChange(view ? filterOf(view) : {});
  };
  return (
    <>
      {views.length > 0 ? (
        <select
          aria-label="View"
          className={applied ? styles.chosen : styles.select}
          value={applied?.id ?? ""}
          onChange={({ target }) => apply(target.value)}
        >
          <option value="">No view</option>
          <Group label="Yours" views={views.filter(({ mine }) => mine)} />
          <Group label="Shared by others" views={views.filter(({ mine }) => !mine)} />
        </select>
      ) : null}
      <Button look="quiet" onClick={() => setOpen(true)}>
        Views
      </Button>
      <Suspense>
        {isOpen ? <ViewsDialog filter={filter} views={views} onClose={() => setOpen(false)} /> : null}
      </Suspense>
    </>
  );
}

function Group({ label, views }: { readonly label: string; readonly views: readonly SavedView[] }): JSX.Element | null {
  if (views.length === 0) return null;
  return (
    <optgroup label={label}>
      {views.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </optgroup>
  );
}
