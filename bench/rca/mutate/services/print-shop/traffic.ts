import { Refused } from './src/errors.ts';
import { Jobs } from './src/jobs.ts';

const jobs = new Jobs();
const attempt = (what: string, work: () => unknown): void => {
  try {
    console.log(what, JSON.stringify(work()));
  } catch (error) {
    if (error instanceof Refused) {
      console.log(what, error.status, error.message);
      return;
    }
    console.error(what, error);
    process.exitCode = 1;
  }
};

attempt('open', () => jobs.open({ customer: 'Mia', paper: 'photo', pages: 4 }));
attempt('open', () => jobs.open({ customer: 'Noah', pages: 30 }));
attempt('open', () => jobs.open({ paper: 'plain' }));
attempt('open', () => jobs.open({ customer: 'Lea', paper: 'silk' }));
attempt('price', () => jobs.price('mi1'));
attempt('price', () => jobs.price('mi9'));
attempt('change', () => jobs.change('mi1', 'plain'));
attempt('change', () => jobs.change('mi1', 'linen'));
attempt('change', () => jobs.change('xx', 'photo'));
attempt('print', () => jobs.print('mi1'));
attempt('print', () => jobs.print('zz'));
attempt('cancel', () => jobs.cancel('mi1'));
attempt('cancel', () => jobs.cancel('no2'));
attempt('cancel', () => jobs.cancel('no2'));
