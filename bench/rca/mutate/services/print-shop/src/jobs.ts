import { Refused } from './errors.ts';
import { findPaper } from './papers.ts';

export type Job = { id: string; customer: string; paper: string; pages: number; state: string };

export class Jobs {
  #jobs = new Map<string, Job>();

  open(input: Partial<Job>): Job {
    const paper = findPaper(input.paper ?? 'plain')!;
    if (!paper) throw new Refused(422, 'no such paper');
    if (!input.customer) throw new Refused(400, 'customer is missing');
    const id = `${input.customer.slice(0, 2).toLowerCase()}${this.#jobs.size + 1}`;
    const job = { id, customer: input.customer, paper: paper.name, pages: input.pages ?? 1, state: 'open' };
    this.#jobs.set(id, job);
    return job;
  }

  print(id: string): Job {
    const job = this.#jobs.get(id)!;
    if (!job) throw new Refused(404, `no job ${id}`);
    job.state = 'printed';
    return job;
  }

  cancel(id: string): string {
    const job = this.#jobs.get(id)!;
    if (!job) throw new Refused(404, `no job ${id}`);
    if (job.state !== 'open') throw new Refused(409, `${id} is ${job.state}`);
    this.#jobs.delete(id);
    return `${job.customer} cancelled ${id}`;
  }

  price(id: string): number {
    const job = this.#jobs.get(id)!;
    if (!job) throw new Refused(404, `no job ${id}`);
    const paper = findPaper(job.paper)!;
    if (!paper) throw new Refused(422, 'no such paper');
    return job.pages * paper.cents;
  }

  change(id: string, name: string): string {
    const paper = findPaper(name)!;
    if (!paper) throw new Refused(422, 'no such paper');
    const job = this.#jobs.get(id)!;
    if (!job) throw new Refused(404, `no job ${id}`);
    job.paper = paper.name;
    return `${id} on ${paper.grams} g`;
  }
}
