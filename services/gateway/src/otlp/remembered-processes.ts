/** Processes of all organizations whose last reading is remembered. */
export const processesMax = 20_000;

/**
 * What is remembered of processes. Beyond {@link processesMax}, the organization with the most forgets the process that
 * was set longest ago, so that no other one loses any.
 */
export class RememberedProcesses<Value> {
  /** Of each organization, the process that was set last is the last one. */
  readonly #byOrganization = new Map<string, Map<string, Value>>();
  #count = 0;

  get(organizationId: string, process: string): Value | undefined {
    return this.#byOrganization.get(organizationId)?.get(process);
  }

  set(organizationId: string, process: string, value: Value): void {
    const own = this.#byOrganization.get(organizationId) ?? new Map<string, Value>();
    this.#byOrganization.set(organizationId, own);
    if (!own.delete(process)) this.#count += 1;
    own.set(process, value);
    if (this.#count > processesMax) this.#forgetOne();
  }

  delete(organizationId: string, process: string): void {
    const own = this.#byOrganization.get(organizationId);
    if (!own?.delete(process)) return;
    this.#count -= 1;
    if (own.size === 0) this.#byOrganization.delete(organizationId);
  }

  #forgetOne(): void {
    const all = [...this.#byOrganization];
    const [organizationId, most] = all.reduce((one, other) => (other[1].size > one[1].size ? other : one));
    const [oldest] = most.keys();
    if (oldest !== undefined && most.delete(oldest)) this.#count -= 1;
    if (most.size === 0) this.#byOrganization.delete(organizationId);
  }
}
