export class JobQueue {
  #jobs = [];
  #waiting = [];
  #running = 0;
  #idle = [];

  constructor(limit, work) {
    this.limit = limit;
    this.work = work;
  }

  push(job) {
    const entry = { ...job, id: this.#jobs.length + 1, state: 'waiting', result: null, startedAt: 0, endedAt: 0 };
    this.#jobs.push(entry);
    this.#waiting.push(entry);
    this.#next();
    return entry.id;
  }

  find(id) {
    const job = this.#jobs.find((each) => each.id === id);
    if (!job) throw new Error(`no job ${id}`);
    return job;
  }

  idle() {
    if (this.#running === 0 && this.#waiting.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #next() {
    while (this.#running < this.limit && this.#waiting.length > 0) {
      const job = this.#waiting.shift();
      this.#running++;
      this.#run(job).finally(() => {
        this.#running--;
        this.#next();
        if (this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve();
      });
    }
  }

  async #run(job) {
    job.state = 'running';
    job.startedAt = Date.now();
    try {
      job.result = await this.work(job);
      job.state = 'done';
    } catch (error) {
      job.state = 'failed';
      console.error(`job ${job.id} (${job.kind}) failed`);
      console.error(error);
    } finally {
      job.endedAt = Date.now();
    }
  }
}
