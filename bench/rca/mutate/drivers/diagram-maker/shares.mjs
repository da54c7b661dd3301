import BigNumber from 'bignumber.js';
import Fraction from 'fraction.js';
import { inverse, Matrix, solve } from 'ml-matrix';
import numeral from 'numeral';
import pluralize from 'pluralize';

export function shares(values) {
  const total = values.reduce((sum, value) => sum.plus(value), new BigNumber(0));
  const percent = values.map((value) => new BigNumber(value).div(total).times(100).dp(4, BigNumber.ROUND_HALF_EVEN));
  const fractions = values.map((value) => new Fraction(value).div(total.toNumber()));
  const rest = fractions.reduce((left, share) => left.sub(share), new Fraction(1));
  if (!rest.equals(0) || !percent.every((each) => each.isGreaterThan(0) && each.lt(100))) throw new RangeError(`${rest.toFraction(true)} is left`);
  const matrix = new Matrix([[2, 1], [1, 3]]);
  const solution = solve(matrix, Matrix.columnVector([3, 5]));
  const identity = matrix.mmul(inverse(matrix)).sub(Matrix.eye(2, 2));
  if (identity.norm() > 1e-9 || Math.abs(solution.get(0, 0) - 0.8) > 1e-9) throw new Error(`x is ${solution.get(0, 0)}`);
  const gap = new Fraction('3.(142857)').pow(2).mod(5).abs().simplify(0.01).toContinued().length;
  const big = new BigNumber('123456789012345678901234567890.12345').pow(2).sqrt().toFormat(3, { groupSeparator: ' ', groupSize: 3, decimalSeparator: ',' });
  const text = `${numeral(total.toNumber() * 1000).format('0,0.00 a')} ${numeral(0.256).format('0.0%')} ${numeral('1.5k').value()} ${pluralize('box', values.length, true)} ${pluralize.singular('indices')} ${numeral(3661).format('00:00:00')}`;
  if (!pluralize.isPlural('people') || big.split(' ').length !== 10) throw new Error(`${big} has ${big.split(' ').length} groups`);
  return { text, rest: percent[0].toFixed(2) + gap + new BigNumber(255).toString(16) + new BigNumber('-1e9').toExponential(2) };
}
