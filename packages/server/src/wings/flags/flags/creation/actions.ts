import type { FlagType } from '@svc/core'
import { isRefusal, notFound, type Refusal, refuse } from '../../../../catalogue/refusals.ts'
import { currentWhole, isUnavailable } from '../../../../platform/db/index.ts'
import { newId } from '../../../../platform/ids.ts'
import { type Author, authored } from '../../../../platform/outbox.ts'
import { answeredTogether } from '../../../../platform/together.ts'
import { inOneTrip } from '../../../../platform/transaction.ts'
import { type FlagSummary, firstVersion } from '../../../model/versions/index.ts'
import {
  type FlagStateRow,
  lockEnvironments,
  type PublishedEnvironment,
  type Publishing,
  type Turn,
} from '../../../serving/datafile/index.ts'
import { lockProject, nextFlagShortId } from '../../projects/index.ts'
import { flagEvent, ofFlag } from '../actions.ts'
import {
  maxFlagsPerProject,
  readVariations,
  refusesCreation,
  refusesSchema,
  unknownVariation,
  type Variation,
} from '../flag.ts'
import { countFlags, type Flag, insertFlags, type NamedFlagEnvironment, takenKeys } from '../queries.ts'
import type { ValueSchema } from '../value-schema.ts'

export interface FlagRequest {
  name: string
  key: string
  type: FlagType
  variations: { name: string; key: string; value: string }[]
  defaultVariationKey: string
  description: string | null
  tags: string[]
  ownerId?: string | null
  permanent: boolean
  valueSchema?: ValueSchema | null
}

interface NewFlag {
  by: Author
  wanted: FlagRequest
  variations: Variation[]
  defaultVariationId: string
}

/** A new flag with its state in each environment. */
export interface CreatedFlag {
  flag: Flag
  environments: NamedFlagEnvironment[]
}

/** A new flag is a draft, paused in every environment, and in every data file at once. */
export type Creating = (
  by: Author,
  which: { orgId: string; projectId: string },
  wanted: FlagRequest,
) => Promise<CreatedFlag | Refusal>

/** Concurrent creations in one project share a transaction, because they would wait for each other. See `switching`. */
export function creating(change: Publishing): Creating {
  const together = answeredTogether<NewFlag & { orgId: string }, CreatedFlag | Refusal>(
    (projectId, flags) => createTogether(change, { orgId: flags[0]!.orgId, projectId }, flags),
    isUnavailable,
  )
  return async (by, { orgId, projectId }, wanted) => {
    const { type, valueSchema = null } = wanted
    const foreign = refusesSchema({ type, valueSchema, variations: [] })
    if (foreign) return foreign
    const read = readVariations({ type, valueSchema }, wanted.variations)
    if (isRefusal(read)) return read
    const variations = read.variations.map((variation) => ({ id: newId(), ...variation }))
    const defaultVariationId = variations.find(({ key }) => key === wanted.defaultVariationKey)?.id
    if (!defaultVariationId) return unknownVariation('defaultVariationKey')
    const flag = { by, wanted, variations, defaultVariationId }
    if (currentWhole()) return (await createTogether(change, { orgId, projectId }, [flag]))[0]!
    return together(projectId, { ...flag, orgId })
  }
}

const noFlags: Refusal = refuse(
  'invalid_state',
  'A project of the type WEB has no flags. Create an experiment here, or the flag in a project of the type FEATURE_FLAG.',
  { current: 'WEB', allowed: ['FEATURE_FLAG'] },
)

async function createTogether(
  change: Publishing,
  { orgId, projectId }: { orgId: string; projectId: string },
  wanted: readonly NewFlag[],
): Promise<(CreatedFlag | Refusal)[]> {
  const keys = wanted.map((each) => each.wanted.key)
  const result = await change(async (tx, _republish, planTurns) => {
    const [project, environments, taken, shortId] = await inOneTrip([
      lockProject(tx, orgId, projectId),
      lockEnvironments(tx, projectId),
      takenKeys(tx, projectId, keys),
      nextFlagShortId(tx, projectId),
    ])
    if (!project) return wanted.map(() => notFound('Project'))
    if (project.type === 'WEB') return wanted.map(() => noFlags)
    // While the number of assigned short ids is below the limit, the flags need not be counted.
    const givenOut = shortId - 1
    const counted = givenOut + wanted.length > maxFlagsPerProject ? await countFlags(tx, projectId) : givenOut
    const refusals = refusesCreation(
      wanted.map((each) => each.wanted),
      { taken, room: maxFlagsPerProject - counted },
    )
    const accepted = wanted.filter((_flag, place) => !refusals[place])
    const created = accepted.map((each, place) => newFlag(each, { orgId, projectId, shortId: shortId + place }))
    const plan = await planTurns(
      tx,
      environments,
      created.map(({ by, flag }) => turnOf(by, flag, environments)),
    )
    // If the file would be too large, nothing is written, so that short ids have no gaps.
    const refused = plan.outcomes.find(isRefusal)
    if (refused) return refused
    const outcomes = plan.outcomes.flatMap((outcome) => (isRefusal(outcome) ? [] : [outcome]))
    await inOneTrip([
      insertFlags(
        tx,
        projectId,
        created.map(({ by, flag }) => ({ ...flag, updatedBy: by.actor.name })),
        created.flatMap(({ flag }) => environments.map(({ id }) => firstRow(flag, id))),
      ),
      plan.save(),
      wanted[0]!.by.recordAll(
        tx,
        created.map(({ by, flag, wanted }, place) => {
          const { flags, events } = outcomes[place]!
          return authored(by, {
            ...ofFlag(flag),
            action: 'flag.create',
            after: wanted,
            events: [flagEvent('flag.created', flags[0] ?? summaryOf(flag)), ...events],
          })
        }),
      ),
    ])
    const answers = created.map(({ flag }) => ({ flag, environments: environments.map((each) => inEach(flag, each)) }))
    return refusals.map((refusal) => refusal ?? answers.shift()!)
  })
  if (!isRefusal(result)) return result
  // Only one of several flags may be too large, so each is tried alone.
  if (wanted.length === 1) return [result]
  const each: (CreatedFlag | Refusal)[] = []
  for (const one of wanted) each.push(...(await createTogether(change, { orgId, projectId }, [one])))
  return each
}

function newFlag(
  { by, wanted, variations, defaultVariationId }: NewFlag,
  place: { orgId: string; projectId: string; shortId: number },
) {
  const { name, key, type, description, tags, ownerId = null, permanent, valueSchema = null } = wanted
  const flag: Flag = {
    ...{ id: newId(), ...place, name, key, type, description, tags, ownerId },
    ...{ permanent, valueSchema, variations, defaultVariationId },
    kind: 'FLAG',
    everEnabled: false,
    everArchived: false,
    version: 1,
    createdAt: by.now,
    updatedAt: by.now,
    archivedAt: null,
  }
  return { by, wanted, flag }
}

const summaryOf = ({ id, shortId, key, name }: Flag): FlagSummary => ({ id, shortId, key, name, status: 'DRAFT' })

const firstRow = (flag: Flag, envId: string) => {
  const version = firstVersion(flag.variations, flag.defaultVariationId)
  return { flagId: flag.id, envId, draft: version, live: version, stagedBy: {} }
}

function turnOf(by: Author, flag: Flag, environments: readonly PublishedEnvironment[]): Turn {
  const state: FlagStateRow = {
    ...summaryOf(flag),
    type: flag.type,
    kind: flag.kind,
    archived: false,
    enabled: false,
    live: firstVersion(flag.variations, flag.defaultVariationId),
    fragment: null,
    served: [],
    enabledRules: [],
    shortIds: {},
    owners: [],
  }
  return { by, why: { reason: 'CREATED' }, flags: new Map(environments.map(({ id }) => [id, state])) }
}

const inEach = (flag: Flag, { id, name }: PublishedEnvironment): NamedFlagEnvironment => ({
  ...firstRow(flag, id),
  name,
  enabled: false,
  published: false,
  lastPublishedRevision: null,
  enabledRules: [],
  lastEvaluatedAt: null,
})
