export interface ExplainedScope {
  scope: string
  text: string
  ineffective: boolean
}

export interface ScopeGroup {
  family: string
  title: string
  scopes: ExplainedScope[]
}

const titles: Record<string, string> = {
  org: 'Organization',
  audit: 'Audit log',
  tokens: 'Service tokens',
  admin: 'Everything',
}

/** The scopes that match the search, grouped by subject, in the given order. */
export function scopeGroups(scopes: readonly ExplainedScope[], search: string): ScopeGroup[] {
  const groups = new Map<string, ScopeGroup>()
  for (const each of scopes) {
    const family = each.scope.split(':')[0]!
    const group = groups.get(family) ?? { family, title: titleOf(family), scopes: [] }
    if (mentions(`${each.scope} ${group.title} ${each.text}`, search)) {
      group.scopes.push(each)
      groups.set(family, group)
    }
  }
  return [...groups.values()]
}

const titleOf = (family: string): string => titles[family] ?? `${family[0]?.toUpperCase()}${family.slice(1)}`

/** Whether the text contains every word of the search. */
function mentions(text: string, search: string): boolean {
  const lower = text.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}
