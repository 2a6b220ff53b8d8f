import { describe, expect, it } from 'vitest'
import {
  betaCdf,
  betaSf,
  chiSquareCdf,
  chiSquareSf,
  normalCdf,
  normalPdf,
  normalQuantile,
  normalSf,
  tCdf,
  tQuantile,
  tSf,
} from './distributions.ts'

// Values of R 4.2 (nmath) and mpmath with 40 digits.
describe('tails keep their digits', () => {
  it.each<[string, number, number]>([
    ['normal, 10', normalSf(10), 7.61985302416053e-24],
    ['normal, 37', normalSf(37), 5.725571222524576e-300],
    ['normal quantile of 1e-20', normalQuantile(1e-20), -9.262340089798409],
    ['t, 8 with 1000', tSf(8, 1000), 1.71333074119574e-15],
    ['t, 40 with 5.3', tSf(40, 5.3), 4.40080057459607e-8],
    ['t quantile with 5.3', tQuantile(0.975, 5.3), 2.52742778826812],
    ['chi-square, 200 with 3', chiSquareSf(200, 3), 4.21854110719204e-43],
    ['beta, 0.0697 with 501 and 9501', betaSf(0.0697, 501, 9501), 2.82225923682295e-16],
    ['beta, 0.4 with 2 and 3', betaCdf(0.4, 2, 3), 0.5248],
  ])('%s', (_name, got, expected) => {
    expect(Math.abs(got / expected - 1)).toBeLessThan(1e-9)
  })
})

it.each([-3, -0.5, 0, 0.01, 2])('both tails at %f add up to 1', (x) => {
  expect(normalCdf(x) + normalSf(x)).toBeCloseTo(1, 14)
  expect(tCdf(x, 7.5) + tSf(x, 7.5)).toBeCloseTo(1, 14)
  expect(chiSquareCdf(Math.abs(x), 3) + chiSquareSf(Math.abs(x), 3)).toBeCloseTo(1, 14)
})

it.each([1e-12, 0.025, 0.5, 0.8, 1 - 1e-9])('the quantile of %f is where the distribution reaches it', (p) => {
  expect(normalCdf(normalQuantile(p)) / p).toBeCloseTo(1, 9)
  expect(tCdf(tQuantile(p, 12.3), 12.3) / p).toBeCloseTo(1, 9)
})

it('the density is the slope of the distribution', () => {
  expect((normalCdf(0.7001) - normalCdf(0.6999)) / 0.0002).toBeCloseTo(normalPdf(0.7), 7)
})

it('a chi-square variable without degrees of freedom is 0', () => {
  expect([chiSquareSf(0, 0), chiSquareSf(1, 0), chiSquareCdf(0, 0)]).toEqual([1, 0, 1])
})
