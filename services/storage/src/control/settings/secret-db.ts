/** The credentials of a scope. */
export interface SecretScope {
  readonly secrets: SecretRepository;
}

/** The credentials of all scopes. */
export interface SecretStore {
  /**
   * Encrypts every credential with the first of the secret keys, in small steps while other work continues; if it is
   * interrupted, the next call resumes. The other processes must know that key already. `unreadable` ones, which no
   * known key decrypts, stay as they are.
   */
  rotateSecrets(now: Date): Promise<{ rotated: number; unreadable: number }>;
}

/** Credentials of a scope, by name, encrypted at rest with the service's secret key. */
export interface SecretRepository {
  put(name: string, value: string, now: Date): Promise<void>;
  /** Returns what is stored; where there is nothing, stores `make()` first. Calls at the same time return the same. */
  ensure(name: string, make: () => string, now: Date): Promise<string>;
  /** Null when there is none. Rejects with `WHENCE_ERR_SECRET_UNREADABLE` when no known key opens it. */
  get(name: string): Promise<string | null>;
  /** True when this call removed it. */
  remove(name: string): Promise<boolean>;
}
