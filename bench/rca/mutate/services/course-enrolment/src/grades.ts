export class Marks {
  readonly course: string;
  private readonly values: number[];

  constructor(course: string, values: number[]) {
    this.course = course;
    this.values = values;
  }

  average(): number {
    return this.values.reduce((sum, value) => sum + value, 0) / this.values.length;
  }

  best(): number {
    return Math.max(...this.values);
  }
}

export class Grades {
  private readonly byStudent = new Map<string, Marks[]>();

  async add(student: string, course: string, values: number[]): Promise<number> {
    const marks = new Marks(course, values);
    this.byStudent.set(student, [...(this.byStudent.get(student) ?? []), marks]);
    return marks.best();
  }

  async of(student: string): Promise<Marks[]> {
    await null;
    return this.byStudent.get(student) ?? [];
  }
}
