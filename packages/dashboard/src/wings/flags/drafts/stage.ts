import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { onlyIf, versioned } from '../../../versioned.ts'
import { refreshFlag } from '../flags/flag-queries.ts'
import { type Draft, differingPaths, isSame, type Step, steps, withPaths } from './draft.ts'

const environmentPath = '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}'
const rulesPath = `${environmentPath}/rules` as const
const rulePath = `${rulesPath}/{ruleId}` as const
const overridesPath = `${environmentPath}/overrides` as const

export interface Place {
  projectId: string
  flagId: string
  envId: string
}

/** Another person changed the draft since it was read. */
export class Overtaken extends Error {}

interface Options {
  /** Rules that are created with their switch off. */
  paused?: ReadonlySet<string>
  /** Visitors of a running test can get another variation. */
  isConfirmed?: boolean
}

/**
 * Makes the wanted draft of the one that was read. What another person has saved meanwhile is never overwritten: then it
 * throws `Overtaken`, or the service refuses. Returns what takes the change back.
 */
export async function stage(
  client: QueryClient,
  place: Place,
  read: Draft,
  wanted: Draft,
  options: Options = {},
): Promise<() => Promise<void>> {
  try {
    const current = await readDraft(place)
    if (!isSame(current.draft, read)) throw new Overtaken()
    const ids = await carryOut(place, current, steps(read, wanted), options)
    const paths = differingPaths(read, renamed(wanted, ids))
    return () => putBack(client, place, read, paths)
  } finally {
    await refreshFlag(client)
  }
}

/** Stages again what the earlier draft had at these paths. Other edits made since then stay. */
export async function putBack(
  client: QueryClient,
  place: Place,
  earlier: Draft,
  paths: readonly string[],
): Promise<void> {
  try {
    const current = await readDraft(place)
    await carryOut(place, current, steps(current.draft, withPaths(current.draft, earlier, paths)), {
      isConfirmed: true,
    })
  } finally {
    await refreshFlag(client)
  }
}

export async function readDraft(path: Place): Promise<{ draft: Draft; etag: string }> {
  const { content, etag } = versioned(await api.GET(environmentPath, { params: { path } }))
  const { defaultVariationKey, overrides, rules } = content.draft
  return { draft: { defaultVariationKey, overrides, rules }, etag }
}

/** Returns the ids that created rules have got. */
async function carryOut(
  path: Place,
  current: { draft: Draft; etag: string },
  all: readonly Step[],
  { paused = new Set(), isConfirmed = false }: Options,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  const idOf = (id: string) => ids.get(id) ?? id
  for (const step of all) {
    if (step.does === 'delete') await api.DELETE(rulePath, { params: { path: { ...path, ruleId: step.id } } })
    if (step.does === 'create') {
      const { id, shortId: _shortId, hashVersion: _version, ...body } = step.rule
      const { data } = await api.POST(rulesPath, {
        params: { path },
        body: { ...body, position: step.position, enabled: !paused.has(id) } as never,
      })
      ids.set(id, data!.data.id)
    }
    if (step.does === 'update') {
      const at = { ...path, ruleId: step.id }
      const { etag } = versioned(await api.GET(rulePath, { params: { path: at } }))
      await api.PATCH(rulePath, {
        params: { path: at, header: onlyIf(etag) },
        body: { ...step.body, confirmReassignment: isConfirmed },
      })
    }
    if (step.does === 'order')
      await api.PUT(`${rulesPath}/reorder`, { params: { path }, body: { ruleIds: step.ids.map(idOf) } })
    if (step.does === 'default') await setDefault(path, step.variationKey)
    if (step.does === 'override') {
      const { content, etag } = versioned(await api.GET(overridesPath, { params: { path } }))
      const { environmentAllowlist, ruleAllowlists } = content
      // The service drops the list of a rule together with the rule, and nothing else may have changed.
      if (!isSame(environmentAllowlist, current.draft.overrides.environmentAllowlist)) throw new Overtaken()
      if (ruleAllowlists.length > current.draft.overrides.ruleAllowlists.length) throw new Overtaken()
      await api.PUT(overridesPath, {
        params: { path, header: onlyIf(etag) },
        body: {
          environmentAllowlist: step.overrides.environmentAllowlist,
          ruleAllowlists: step.overrides.ruleAllowlists.map((list) => ({ ...list, ruleId: idOf(list.ruleId) })),
        },
      })
    }
  }
  return ids
}

async function setDefault(path: Place, variationKey: string): Promise<void> {
  const at = '/api/v1/projects/{projectId}/flags/{flagId}'
  const { content, etag } = versioned(await api.GET(at, { params: { path } }))
  const defaultVariationId = content.variations.find(({ key }) => key === variationKey)?.id
  if (defaultVariationId === undefined) throw new Overtaken()
  await api.PATCH(environmentPath, { params: { path, header: onlyIf(etag) }, body: { defaultVariationId } })
}

const renamed = (draft: Draft, ids: ReadonlyMap<string, string>): Draft => ({
  ...draft,
  rules: draft.rules.map((rule) => ({ ...rule, id: ids.get(rule.id) ?? rule.id })),
  overrides: {
    ...draft.overrides,
    ruleAllowlists: draft.overrides.ruleAllowlists.map((list) => ({
      ...list,
      ruleId: ids.get(list.ruleId) ?? list.ruleId,
    })),
  },
})
