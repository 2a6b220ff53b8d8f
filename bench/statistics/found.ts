/** A share of simulations, and the limits that it must keep. */
export interface Found {
  what: string
  seen: number
  low: number
  high: number
  runs: number
}

export function share(what: string, runs: number, [low, high]: [number, number], holds: () => boolean): Found {
  let found = 0
  for (let run = 0; run < runs; run++) if (holds()) found++
  return { what, seen: found / runs, low, high, runs }
}
