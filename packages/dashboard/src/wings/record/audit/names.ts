import { type Data, nouns } from '@svc/client'
import { segmentOf } from '../../../shell/address.ts'
import { isInProject, isShown, routeOf } from '../../../shell/noun-pages.ts'

export type NameOfId = Data<'/api/v1/names', 'post'>[number]
export type VisibleName = Extract<NameOfId, { visible: true }>

interface Named {
  object: { id: string }
  projectId: string | null
  before?: unknown
  after?: unknown
}

const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Every id that entries show: of their objects and projects, and in the states before and after. */
export function idsIn(entries: readonly Named[]): string[] {
  const found = new Set<string>()
  const collect = (value: unknown): void => {
    if (typeof value === 'string' && id.test(value)) found.add(value)
    else if (Array.isArray(value)) value.forEach(collect)
    else if (typeof value === 'object' && value !== null) {
      Object.keys(value).forEach(collect)
      Object.values(value).forEach(collect)
    }
  }
  for (const { object, projectId, before, after } of entries) [object.id, projectId, before, after].forEach(collect)
  return [...found]
}

/** The API answers at most this many at once. */
const batchSize = 100

export const inBatches = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, index) =>
    ids.slice(index * batchSize, (index + 1) * batchSize),
  )

/** "Checkout", "Checkout (deleted)", "Beta users in Checkout". Undefined if the reader cannot see it. */
export function nameInWords(name: NameOfId): string | undefined {
  if (!name.visible) return undefined
  return name.deleted ? `${name.name} (deleted)` : name.name
}

/** The environment and the flag that an object belongs to: "in Checkout, Production". */
export function placeInWords({ kind, flag, environment }: VisibleName): string {
  const parts = [kind === 'rule' && flag?.name, kind !== 'environment' && environment?.name]
  return parts.filter(Boolean).join(', ')
}

/** The page of an object: its route and its address below the organization. Deleted objects have none. */
export function pageOf(name: VisibleName): { route: string; path: string } | undefined {
  const { kind, project, flag, deleted } = name
  if (deleted) return undefined
  const inProject = project && `/${segmentOf(project)}`
  if (kind === 'project') return inProject ? { route: '/$org/$project', path: inProject } : undefined
  // A rule is on the page of its flag.
  if (kind === 'rule') return flag ? pageOf({ ...name, ...flag, kind: 'flag' }) : undefined
  if (!isShown(kind)) return undefined
  const inProjectOnly = isInProject(kind)
  if (inProjectOnly && !inProject) return undefined
  const page = nouns[kind].page.replace(/\{(\w+)\}/, (_all, field) => String(name[field as 'key' | 'shortId' | 'id']))
  return { route: routeOf(kind), path: `${inProjectOnly ? inProject : ''}/${page}` }
}
