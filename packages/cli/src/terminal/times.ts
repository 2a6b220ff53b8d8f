/** A time of the API for people: `2026-11-20 10:00:00`, in UTC like everything in the API. */
export const shownTime = (iso: string | null | undefined): string => (iso ? iso.slice(0, 19).replace('T', ' ') : '')

const units: [string, number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
]

/** How long ago: `3 min ago`. */
export function ago(iso: string | null | undefined, now: Date): string {
  if (!iso) return ''
  const ms = now.getTime() - new Date(iso).getTime()
  for (const [unit, size] of units) if (ms >= size) return `${Math.floor(ms / size)} ${unit} ago`
  return 'now'
}
