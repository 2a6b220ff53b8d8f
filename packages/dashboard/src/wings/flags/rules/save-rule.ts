import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { merge } from '../../../ui/form/merge.ts'
import { onlyIf, versioned } from '../../../versioned.ts'
import { pathOf, type TargetingContext } from '../flags/targeting-place.ts'
import { alwaysIn, bodyOf, type RuleType, type RuleValues, valuesOf, withAlways } from './rule-form.ts'
import { latestAuthor } from './rule-rows.ts'

const environmentPath = '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}'
const rulesPath = `${environmentPath}/rules` as const
const rulePath = `${rulesPath}/{ruleId}` as const
const overridesPath = `${environmentPath}/overrides` as const

interface Edit {
  type: RuleType
  ruleId: string | undefined
  values: RuleValues
  /** What was read, and its version. */
  base: RuleValues
  etag: string
  /** Visitors of a running test may get another variation. */
  isConfirmed: boolean
  /** The same for the same body, so that a repeated call creates one rule. */
  idempotencyKey: (body: object) => string
}

/** Saves a rule in the draft, and then who always gets its variations, which the API keeps apart. */
export async function saveRule(place: TargetingContext, edit: Edit): Promise<void> {
  const { type, ruleId, values, base, etag, isConfirmed, idempotencyKey } = edit
  const path = pathOf(place)
  if (ruleId === undefined) {
    const body = { type, ...bodyOf(type, values) }
    const { data } = await api.POST(rulesPath, {
      params: { path, header: onlyOnce(idempotencyKey(body)) },
      body: body as never,
    })
    return saveAlways(path, data!.data.id, values, base)
  }
  const body = bodyOf(type, values, base)
  if (Object.keys(body).length > 0)
    await api.PATCH(rulePath, {
      params: { path: { ...path, ruleId }, header: onlyIf(etag) },
      body: { ...body, confirmReassignment: isConfirmed },
    })
  return saveAlways(path, ruleId, values, base)
}

type Path = ReturnType<typeof pathOf>

async function saveAlways(path: Path, ruleId: string, values: RuleValues, base: RuleValues): Promise<void> {
  if (JSON.stringify(values.always) === JSON.stringify(base.always)) return
  const { content, etag } = versioned(await api.GET(overridesPath, { params: { path } }))
  const current = { always: alwaysIn(content, ruleId) }
  const { always } = merge({ always: base.always }, { always: values.always }, current).values
  const { environmentAllowlist, ruleAllowlists } = withAlways(content, ruleId, always)
  await api.PUT(overridesPath, {
    params: { path, header: onlyIf(etag) },
    body: { environmentAllowlist, ruleAllowlists },
  })
}

/** The rule as another person has saved it, and who that was. */
export async function currentRule(place: TargetingContext, ruleId: string) {
  const path = pathOf(place)
  const [rule, environment] = await Promise.all([
    api.GET(rulePath, { params: { path: { ...path, ruleId } } }),
    api.GET(environmentPath, { params: { path } }),
  ])
  const { content, etag } = versioned(rule)
  const { draft, changes } = environment.data!.data
  const own = changes.filter((change) => change.path.startsWith(`rules.${ruleId}`))
  const who = latestAuthor(own)?.name ?? 'Another person'
  return { content: valuesOf(content, draft.overrides), etag, who }
}
