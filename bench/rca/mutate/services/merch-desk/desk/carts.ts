import { cartHoldSeconds } from './limits.ts';

export interface Cart {
  readonly article: string;
  readonly heldUntil: number;
}

export function hold(article: string): Cart {
  return { article, heldUntil: Date.now() + cartHoldSeconds * 1000 };
}

export function release(cart: Cart, at: number): string {
  if (at > cart.heldUntil) throw new Error(`the cart with ${cart.article} timed out`);
  return cart.article;
}
