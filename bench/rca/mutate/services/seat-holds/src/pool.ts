interface Options {
  size: number;
  acquireTimeoutMs: number;
}

export interface Lease<T> {
  readonly resource: T;
  release(): void;
}

export class Pool<T> {
  private readonly free: T[] = [];
  private readonly waiting: ((lease: Lease<T>) => void)[] = [];
  private readonly options: Options;
  private created = 0;
  private closed = false;
  private readonly create: () => T;

  constructor(options: Options, create: () => T) {
    this.options = options;
    this.create = create;
  }

  acquire(): Promise<Lease<T>> {
    if (this.closed) return Promise.reject(new Error('the pool is closed'));
    const resource = this.free.pop() ?? this.grow();
    if (resource !== undefined) return Promise.resolve(this.lease(resource));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no connection within ${this.options.acquireTimeoutMs} ms, ${this.created} in use`)), this.options.acquireTimeoutMs);
      this.waiting.push((lease) => {
        clearTimeout(timer);
        resolve(lease);
      });
    });
  }

  async use<R>(work: (resource: T) => Promise<R> | R): Promise<R> {
    const lease = await this.acquire();
    try {
      return await work(lease.resource);
    } finally {
      lease.release();
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    if (this.free.length !== this.created) throw new Error(`${this.created - this.free.length} connections were not released`);
  }

  private grow(): T | undefined {
    if (this.created >= this.options.size) return undefined;
    this.created += 1;
    return this.create();
  }

  private lease(resource: T): Lease<T> {
    let released = false;
    return {
      resource,
      release: () => {
        if (released) return;
        released = true;
        const next = this.waiting.shift();
        if (next) next(this.lease(resource));
        else this.free.push(resource);
      },
    };
  }
}
