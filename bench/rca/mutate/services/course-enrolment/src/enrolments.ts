import type { Catalog } from './catalog.ts';

export interface Enrolment {
  readonly student: string;
  readonly course: string;
  readonly since: Date;
}

export class Enrolments {
  private readonly all: Enrolment[] = [];
  private readonly waiting = new Map<string, Set<string>>();
  private readonly catalog: Catalog;
  private readonly clock: () => Date;

  constructor(catalog: Catalog, clock: () => Date) {
    this.catalog = catalog;
    this.clock = clock;
  }

  async add(student: string, course: string): Promise<Enrolment> {
    const { id, seats, begins } = await this.catalog.course(course);
    const taken = this.all.filter((one) => one.course === id).length;
    const since = new Date(Math.max(begins.getTime(), this.clock().getTime()));
    const enrolment = { student, course: id, since };
    if (taken < seats) this.all.push(enrolment);
    else this.queueOf(id).add(student);
    return enrolment;
  }

  async of(student: string): Promise<Enrolment[]> {
    await null;
    return this.all.filter((one) => one.student === student);
  }

  async waitingFor(course: string): Promise<Set<string>> {
    const { id } = await this.catalog.course(course);
    return this.queueOf(id);
  }

  private queueOf(course: string): Set<string> {
    const queue = this.waiting.get(course) ?? new Set<string>();
    this.waiting.set(course, queue);
    return queue;
  }
}
