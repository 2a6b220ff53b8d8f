const dayMs = 86_400_000

/** A partition: what is received on one day, in UTC. */
export interface Day {
  name: string
  from: Date
  until: Date
}

export function dayOf(table: string, at: Date): Day {
  const from = new Date(Math.floor(at.getTime() / dayMs) * dayMs)
  const date = from.toISOString().slice(0, 10).replaceAll('-', '')
  return { name: `${table}_${date}`, from, until: new Date(from.getTime() + dayMs) }
}

const datePattern = /_(\d{4})(\d{2})(\d{2})$/

/** The time of a partition, from its name. Undefined for a table of another name. */
export function timeOf(name: string): Omit<Day, 'name'> | undefined {
  const [, year, month, day] = datePattern.exec(name) ?? []
  if (year === undefined) return undefined
  const from = new Date(`${year}-${month}-${day}T00:00:00Z`)
  return { from, until: new Date(from.getTime() + dayMs) }
}

/** Whether everything in the partition is older. */
export function isPast(name: string, before: Date): boolean {
  const time = timeOf(name)
  return time !== undefined && time.until <= before
}
