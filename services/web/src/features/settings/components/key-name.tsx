import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { keysQuery } from "../api/keys.ts";

/** The key with this id, by its name, or by the id once the key is gone. */
export function KeyName({ id }: { readonly id: string }): JSX.Element {
  const { data } = useQuery(keysQuery);
  const name = data?.keys.find(({ key_id }) => key_id === id)?.name;
  return <>the key {name ?? id}</>;
}
