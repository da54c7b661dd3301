interface Entry<T> {
  value: Promise<T>;
  until: number;
}

export class Cache<T> {
  hits = 0;
  private entries = new Map<string, Entry<T>>();
  private readonly ttlMs: number;

  constructor(ttlMs: number) {
    this.ttlMs = ttlMs;
  }

  get(key: string, load: () => Promise<T>): Promise<T> {
    const known = this.entries.get(key);
    if (known !== undefined && known.until > Date.now()) {
      this.hits += 1;
      return known.value;
    }
    const value = load();
    this.entries.set(key, { value, until: Date.now() + this.ttlMs });
    value.catch(() => this.entries.delete(key));
    return value;
  }

  get size(): number {
    return this.entries.size;
  }
}
