export class SoldOut extends Error {
  override name = 'SoldOut';
}

export class Stock {
  readonly #left = new Map<string, number>([['shirt', 3], ['poster', 5]]);

  leftOf(article: string): number {
    return this.#left.get(article) ?? 0;
  }

  take(article: string, pieces: number): number {
    const left = this.leftOf(article) - pieces;
    if (left < 0) throw new SoldOut(`stock of ${article} would be negative: ${left}`);
    this.#left.set(article, left);
    return left;
  }
}
