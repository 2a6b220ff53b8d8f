const dayMs = 86_400_000
/** As the service counts: 30 days without an evaluation. */
const unusedMs = 30 * dayMs

/** Why a flag is stale: "Stale: 31 days unused". One that is still evaluated has not been changed for long. */
export function staleWords(evaluatedAt: string | null | undefined, updatedAt: string, now: Date): string {
  const agoMs = (time: string) => now.getTime() - Date.parse(time)
  const days = (time: string) => Math.floor(agoMs(time) / dayMs).toLocaleString('en')
  return evaluatedAt && agoMs(evaluatedAt) > unusedMs
    ? `Stale: ${days(evaluatedAt)} days unused`
    : `Stale: ${days(updatedAt)} days unchanged`
}
