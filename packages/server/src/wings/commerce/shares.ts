/** A share in words: "12.5 %". */
export const percent = (share: number, digits = 2): string => `${Number((share * 100).toFixed(digits))} %`

/** A share above a limit, with as many digits as it takes to read as above it: "20.1 %" where the limit is 20 %. */
export function percentAbove(share: number, limit: number): string {
  for (let digits = 0; digits < 4; digits += 1)
    if (Number((share * 100).toFixed(digits)) > limit * 100) return percent(share, digits)
  return `More than ${percent(limit)}`
}
