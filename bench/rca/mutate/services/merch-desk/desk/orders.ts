import { pay } from './checkout.ts';
import { Mutex } from './mutex.ts';
import { Stock } from './stock.ts';

const stock = new Stock();
const mutex = new Mutex();

export async function buy(article: string, pieces: number, euros: number): Promise<string> {
  return mutex.runExclusive(async () => {
    if (stock.leftOf(article) < pieces) return `${article}: none left`;
    const paid = await pay(euros);
    const left = stock.take(article, pieces);
    return `${article}: paid ${paid}, ${left} left`;
  });
}
