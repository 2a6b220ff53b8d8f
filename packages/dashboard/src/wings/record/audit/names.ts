import type { Data } from '@svc/client'
import { segmentOf } from '../../../shell/address.ts'

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
export function pageOf({
  kind,
  id,
  key,
  shortId,
  project,
  flag,
  deleted,
}: VisibleName): { route: string; path: string } | undefined {
  if (deleted) return undefined
  const below = (route: string, path: string) =>
    project ? { route: `/$org/$project${route}`, path: `/${segmentOf(project)}${path}` } : undefined
  const settings = (page: string) => ({ route: `/$org/settings/${page}`, path: `/settings/${page}` })
  switch (kind) {
    case 'project':
      return below('', '')
    case 'flag':
      return below('/flags/$flag', `/flags/${key}`)
    case 'rule':
      return flag ? below('/flags/$flag', `/flags/${flag.key}`) : undefined
    case 'environment':
      return below('/environments/$environment', `/environments/${key}`)
    case 'audience':
      return below('/audiences/$audience', `/audiences/${shortId}`)
    case 'segment':
      return below('/segments/$segment', `/segments/${shortId}`)
    case 'metric':
      return below('/metrics/$metric', `/metrics/${key}`)
    case 'experiment':
      return below('/experiments/$experiment', `/experiments/${shortId}`)
    case 'exclusion_group':
      return below('/exclusion-groups', '/exclusion-groups')
    case 'holdout':
      return below('/holdouts', '/holdouts')
    case 'webhook':
      return below('/integrations/webhooks/$webhook', `/integrations/webhooks/${id}`)
    case 'destination':
      return below('/integrations/destinations/$destination', `/integrations/destinations/${id}`)
    case 'organization':
      return settings('general')
    case 'member':
    case 'invitation':
      return settings('members')
    case 'role':
      return settings('roles')
    case 'service_token':
      return settings('tokens')
    default:
      return undefined
  }
}
