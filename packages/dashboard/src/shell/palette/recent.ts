const maxKept = 10
const keyOf = (organizationId: string) => `svc.recent.${organizationId}`

/** The ids of entries that the person chose last in this organization, latest first. */
export function recentEntries(organizationId: string): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(organizationId)) ?? '[]')
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

export function noteChosen(organizationId: string, id: string): void {
  const kept = [id, ...recentEntries(organizationId).filter((other) => other !== id)].slice(0, maxKept)
  localStorage.setItem(keyOf(organizationId), JSON.stringify(kept))
}
