/** The one id of all documented examples. */
const documented = '0198f2c6-1b2d-7c3e-8f4a-5b6c7d8e9f00'

/**
 * The same body in which each object has an id of its own: `project.id` is `projectId`, and not the id of the flag.
 * Such bodies reveal a receiver that mixes them up.
 */
export function withOwnIds(body: Record<string, unknown>): Record<string, unknown> {
  const owners: string[] = ['']
  const idOf = (owner: string): string => {
    if (!owners.includes(owner)) owners.push(owner)
    return `${documented.slice(0, -2)}${owners.indexOf(owner).toString(16).padStart(2, '0')}`
  }
  const inside = (value: unknown, owner: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => inside(each, owner))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => {
        if (each === documented) return [name, idOf(name === 'id' ? owner : name.replace(/Id$/, ''))]
        return [name, inside(each, name.replace(/s$/, ''))]
      }),
    )
  }
  return inside(body, '') as Record<string, unknown>
}
