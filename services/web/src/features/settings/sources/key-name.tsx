import { useQuery } from "@tanstack/react-query";
import type { JSX } from "react";
import { keysQuery } from "../api/keys.ts";

/** The name of a key; its ID once the key is deleted. */
export function KeyName({ id }: { readonly id: string }): JSX.Element {
  const { data } = useQuery(keysQuery);
  const name = data?.keys.find(({ key_id }) => key_id === id)?.name;
  return <>the key {name === undefined ? id : `“${name}”`}</>;
}
