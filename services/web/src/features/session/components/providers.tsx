import { useMutation, useQuery } from "@tanstack/react-query";
import type { SignInProvider } from "@whence/protocol";
import type { JSX } from "react";
import { Button } from "../../../components/button.tsx";
import { Problem } from "../../../components/problem.tsx";
import { signInWith } from "../api/account.ts";
import { signInOptionsQuery } from "../api/get-sign-in-options.ts";
import styles from "./entrance.module.css";

/** The providers for signing in without a password, if the service has any; they lead back to `path`. */
export function Providers({ path }: { readonly path: string }): JSX.Element | null {
  const { data: options } = useQuery(signInOptionsQuery);
  const leaving = useMutation({ mutationFn: (provider: SignInProvider) => signInWith(provider, path) });
  if (!options || options.providers.length === 0) return null;
  return (
    <div className={styles.providers}>
      {leaving.error ? <Problem error={leaving.error} /> : null}
      {options.providers.map(({ id, name }) => (
        <Button key={id} icon="external" busy={leaving.isPending} onClick={() => leaving.mutate(id)}>
          Continue with {name}
        </Button>
      ))}
      <p className={styles.or}>or</p>
    </div>
  );
}
