export interface Course {
  readonly id: string;
  readonly seats: number;
  readonly lessons: ReadonlyMap<string, string>;
  readonly begins: Date;
}

const offered = [
  { id: 'algebra', seats: 1, lessons: { mon: '09:00', wed: '11:15' }, begins: '2025-09-08' },
  { id: 'history', seats: 3, lessons: { tue: '10:00' }, begins: '2025-09-09' },
];

export class Catalog {
  private readonly read = new Map<string, Course>();

  async course(id: string): Promise<Course> {
    const known = this.read.get(id);
    if (known) return known;
    const course = await this.load(id);
    this.read.set(id, course);
    return course;
  }

  private async load(id: string): Promise<Course> {
    await new Promise((resolve) => setImmediate(resolve));
    const found = offered.find((one) => one.id === id);
    if (!found) throw new Error(`no course ${id}`);
    return { ...found, lessons: new Map(Object.entries(found.lessons)), begins: new Date(found.begins) };
  }
}
