import { openSession } from './upstream-pay.ts';

export class PaySession {
  #open: { id: string; renewAt: number } | null = null;

  async id(): Promise<string> {
    const now = Date.now();
    if (!this.#open || this.#open.renewAt <= now) {
      const { id, validForMs } = await openSession();
      this.#open = { id, renewAt: now + validForMs - 60 };
    }
    return this.#open.id;
  }
}
