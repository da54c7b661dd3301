import type { Watched } from "@whence/protocol";
import type { JSX } from "react";
import { FactTable } from "../components/fact-table.tsx";
import { placeName } from "../place-name.ts";

type SeenHit = Watched["hits"][number];

const seenNames: Readonly<Record<SeenHit["kind"], string>> = {
  reached: "reached",
  returned: "returned",
  threw: "threw",
};

/** What the process saw on the way to the last failure, in the order of its time. */
export function SeenValues({ watched: { hits } }: { readonly watched: Watched }): JSX.Element {
  if (hits.length === 0) return <p>The last failure passed none of these places.</p>;
  return (
    <FactTable
      label="Seen on the way to the last failure"
      heads={["Place", "Seen", "Values"]}
      rows={hits.map((hit) => [
        <code key="place" title={hit.file}>
          {placeName(hit)}
        </code>,
        <Seen key="seen" hit={hit} />,
        <code key="values">{valuesText(hit)}</code>,
      ])}
    />
  );
}

function Seen({ hit: { kind, function: name, returned, error } }: { readonly hit: SeenHit }): JSX.Element {
  const what = returned ?? error;
  return (
    <>
      {name === null ? null : <code>{name} </code>}
      {seenNames[kind]} {what === undefined ? null : <code>{what}</code>}
    </>
  );
}

function valuesText({ values }: SeenHit): string {
  return Object.entries(values)
    .map(([name, text]) => `${name} = ${text}`)
    .join(", ");
}
