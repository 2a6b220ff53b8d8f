import { usage } from '../problem.ts'

const whole = 10_000

/** Basis points of a percentage: `25`, `25%` and `12.5` with up to two decimals. */
export function basisPoints(text: string, name: string): number {
  const [, number, decimals = ''] = /^\s*([+-]?\d+(?:\.(\d+))?)\s*%?\s*$/.exec(text) ?? []
  if (number === undefined) throw usage(`${name} must be a percentage such as 25 or 12.5 (got ${text}).`)
  const share = Number(number)
  if (!(share >= 0 && share <= 100)) throw usage(`${name} must be between 0 and 100, in percent (got ${text}).`)
  if (decimals.length > 2) throw usage(`${name} must have at most two decimals (got ${text}).`)
  return Math.round(share * 100)
}

/** Reads `--split`: `control=50,short=50`. */
export function splitOf(text: string): { variationKey: string; weight: number }[] {
  const parts = text.split(',').map((part) => {
    const [, key, share] = /^\s*([^=]+)=(.+?)\s*$/.exec(part) ?? []
    if (key === undefined || share === undefined) throw usage(`--split must be like control=50,short=50 (got ${text}).`)
    return { variationKey: key, weight: basisPoints(share, `--split: ${key}`) }
  })
  const sum = parts.reduce((total, { weight }) => total + weight, 0)
  if (sum !== whole) throw usage(`--split must add up to 100 (got ${sum / 100}).`)
  return parts
}

/** `25 %` */
export const percent = (points: number): string => `${points / 100} %`
