import type { Page } from "playwright-core";
import { z } from "zod";

export interface Scrolling {
  readonly pixelsPerSecond: number;
  readonly forMs: number;
  /** The selector of a row. */
  readonly row: string;
}

const framesSchema = z.object({
  /** Milliseconds between frames. */
  intervals: z.array(z.number()),
  /** Frames with no row visible in their middle. */
  blank: z.int(),
});

/** Scrolls a page up and down, one step per frame, and records the times of frames. */
export async function measureFrames(page: Page, scrolling: Scrolling): Promise<z.infer<typeof framesSchema>> {
  const { pixelsPerSecond, forMs, row } = scrolling;
  const answer: unknown = await page.evaluate(`new Promise((resolve) => {
    const intervals = [];
    let blank = 0;
    let way = 1;
    let begin = null;
    let last = null;
    scrollTo(0, 0);
    const frame = (now) => {
      begin ??= now;
      if (last !== null) intervals.push(now - last);
      const passed = last === null ? 0 : now - last;
      last = now;
      const middle = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
      if (!middle?.closest(${JSON.stringify(row)})) blank++;
      const end = document.documentElement.scrollHeight - innerHeight;
      if (scrollY >= end - 1) way = -1;
      if (scrollY <= 0) way = 1;
      scrollBy(0, (way * ${pixelsPerSecond} * passed) / 1000);
      if (now - begin < ${forMs}) requestAnimationFrame(frame);
      else resolve({ intervals, blank });
    };
    requestAnimationFrame(frame);
  })`);
  return framesSchema.parse(answer);
}

/** Scrolls down until a paginated list has `rows` rows. */
export async function waitForLength(page: Page, rows: number): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const go = () => {
      scrollTo(0, document.documentElement.scrollHeight);
      if (document.querySelector('[aria-posinset="${rows}"]')) resolve(null);
      else requestAnimationFrame(go);
    };
    go();
  })`);
}
