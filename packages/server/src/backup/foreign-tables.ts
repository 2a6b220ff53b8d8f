const mostNames = 5

/** The tables that are not Svc's own, in words; undefined if there is none. */
export function foreignTables(names: readonly string[], own: ReadonlySet<string>): string | undefined {
  const foreign = names.filter((name) => !own.has(name))
  if (foreign.length === 0) return undefined
  const more = foreign.length - mostNames
  return foreign.slice(0, mostNames).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
