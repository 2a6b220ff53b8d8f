import { type Issue, invalid, isRefusal, type Refusal, refuse, refuseIssues } from '../../../catalogue/refusals.ts'
import type { Experiment, ExperimentStatus } from '../../model/experiments/index.ts'
import { type AbTestRule, describeAllowlist, describeRule, type Version, webOf } from '../../model/versions/index.ts'
import { noContent, type Redirect, type VariationContent, type WebContent } from '../../model/web/index.ts'

export const maxExperimentsPerProject = 500

interface Requested {
  flagId?: string | undefined
  ruleId?: string | undefined
  variations?: readonly { name?: string | undefined; redirect?: unknown }[] | undefined
  autoPause?: { codeErrors?: boolean | undefined } | undefined
}

/** The fields of a new experiment that its type does not have or requires. The project decides the type. */
export function refusesFields(
  type: Experiment['type'],
  wanted: Requested,
  { definitionFields, webFields }: { definitionFields: readonly string[]; webFields: readonly string[] },
): Refusal | undefined {
  const given = (field: string) => (wanted as Record<string, unknown>)[field] !== undefined
  const issue = (field: string, message: string): Issue => ({ path: [field], message: `${field} ${message}` })
  if (type === 'WEB') {
    const message = 'must be omitted: the project has the type WEB, and its experiments have no flag.'
    return refuseIssues(['flagId', 'ruleId'].filter(given).map((field) => issue(field, message)))
  }
  const missing = wanted.ruleId === undefined ? ['variations', 'baselineVariationKey'] : []
  const foreign = wanted.ruleId === undefined ? [] : definitionFields
  return refuseIssues([
    ...(given('flagId') ? [] : [issue('flagId', 'is required.')]),
    ...missing
      .filter((field) => !given(field))
      .map((field) => issue(field, 'is required, unless ruleId names a rule.')),
    ...foreign
      .filter(given)
      .map((field) => issue(field, 'must be omitted: it comes from the rule in ruleId. Change it afterwards.')),
    ...foreignToFlag(wanted, webFields),
  ])
}

/** The fields of a request that only a web experiment has. */
export function foreignToFlag(
  wanted: Pick<Requested, 'variations' | 'autoPause'>,
  webFields: readonly string[],
): Issue[] {
  const message = 'must be omitted: only a web experiment has it.'
  return [
    ...webFields
      .filter((field) => (wanted as Record<string, unknown>)[field] !== undefined)
      .map((field) => ({ path: [field], message: `${field} ${message}` })),
    ...(wanted.variations ?? []).flatMap(({ redirect }, place) =>
      redirect === undefined
        ? []
        : [{ path: ['variations', place, 'redirect'], message: `variations[${place}].redirect ${message}` }],
    ),
    ...namedVariations(wanted.variations),
    ...(wanted.autoPause?.codeErrors
      ? [
          {
            path: ['autoPause', 'codeErrors'],
            message: 'autoPause.codeErrors must be false: only a web experiment has code.',
          },
        ]
      : []),
  ]
}

/** A variation of a flag has the name that it has there. */
const namedVariations = (variations: Requested['variations'] = []): Issue[] =>
  variations.flatMap(({ name }, place) =>
    name === undefined
      ? []
      : [
          {
            path: ['variations', place, 'name'],
            message: `variations[${place}].name must be omitted: it is the name that the flag has. Change it there.`,
          },
        ],
  )

/** What a web experiment starts with. */
export const firstVariations = [
  { key: 'original', weight: 5000 },
  { key: 'variation-1', weight: 5000 },
]

/** What an experiment tests: the definition of its rule, with the visitors who are allowed in by name. */
export type Definition = ReturnType<typeof definitionOf>

interface Variation {
  id: string
  key: string
  name: string
}

type Shown = Variation & { weight: number } & Partial<ShownContent>

/** What an experiment shows of the content of a variation. */
interface ShownContent {
  changes: number
  hasCss: boolean
  hasCode: boolean
  redirect: Redirect | null
}

const shownContent = ({ changes, css, js, redirect }: VariationContent = noContent): ShownContent => ({
  ...{ changes: changes.length, hasCss: css !== null, hasCode: js !== null, redirect },
})

/** What an experiment shows of its pages. */
type ShownPages = Pick<WebContent, 'pages' | 'activation' | 'activationSelector' | 'applyAt'>

const shownPages = ({ pages, activation, activationSelector, applyAt }: WebContent): ShownPages => ({
  ...{ pages, activation, activationSelector, applyAt },
})

/** The definition of the rule in a version. `named` has the names of the variations, which versions do not have. */
export function definitionOf(
  rule: AbTestRule,
  version: Version,
  { variations: named, type }: { variations: readonly Variation[]; type: Experiment['type'] },
) {
  const described = describeRule(rule, version) as Extract<
    ReturnType<typeof describeRule>,
    { baselineVariationKey: string }
  >
  const { baselineVariationKey, audienceIds, conditions, trafficAllocation, bucketBy, salt, metrics } = described
  const { autoPause: _apart, ...statistics } = described.statistics
  const { exclusionGroupId, holdoutId, sticky } = described
  const names = new Map(named.map(({ id, name }) => [id, name]))
  const keys = new Map(version.variations.map(({ id, key }) => [id, key]))
  const allowed = version.overrides.ruleAllowlists.find(({ ruleId }) => ruleId === rule.id)?.entries ?? []
  return {
    variations: rule.variations.map(
      ({ variationId: id, weight }): Shown => ({
        ...{ id, key: keys.get(id)!, name: names.get(id) ?? keys.get(id)!, weight },
        ...(type === 'WEB' && shownContent(webOf(version).variations[id])),
      }),
    ),
    ...((type === 'WEB' ? shownPages(webOf(version)) : {}) as Partial<ShownPages>),
    ...{ baselineVariationKey, audienceIds, conditions, trafficAllocation, bucketBy, salt, metrics, statistics },
    ...{ exclusionGroupId, holdoutId, sticky },
    allowlist: describeAllowlist(allowed, version),
  }
}

/** Refusals of a rule and of overrides name fields that an experiment calls differently. */
export function asExperiment<Result>(result: Result | Refusal): Result | Refusal {
  if (!isRefusal(result) || !Array.isArray(result.details?.issues)) return result
  const [first, ...others] = (result.details.issues as Issue[]).map(({ path, message }) => ({
    path: fieldOf(path),
    message,
  }))
  return first && result.refusal === 'validation_failed' ? invalid(first, ...others) : result
}

function fieldOf(path: PropertyKey[]): PropertyKey[] {
  const [list, index, field] = path
  if (list === 'variations' && field === 'variationKey') return [list, index!, 'key']
  return list === 'ruleAllowlists' ? ['allowlist', ...path.slice(3)] : path
}

export type Transition =
  | 'launch'
  | 'pause'
  | 'resume'
  | 'complete'
  | 'publish'
  | 'declare'
  | 'archive'
  | 'unarchive'
  | 'delete'
  | 'edit'
  | 'redefine'
  | 'schedule'

/** The states in which a call acts. */
const allowedStates: Record<Transition, readonly ExperimentStatus[]> = {
  launch: ['DRAFT'],
  pause: ['RUNNING'],
  resume: ['PAUSED'],
  complete: ['RUNNING', 'PAUSED'],
  publish: ['RUNNING', 'PAUSED'],
  declare: ['RUNNING', 'PAUSED', 'COMPLETED'],
  archive: ['DRAFT', 'PAUSED', 'COMPLETED'],
  unarchive: ['ARCHIVED'],
  delete: ['DRAFT', 'ARCHIVED'],
  edit: ['DRAFT', 'RUNNING', 'PAUSED', 'COMPLETED'],
  redefine: ['DRAFT', 'RUNNING', 'PAUSED'],
  schedule: ['DRAFT', 'RUNNING', 'PAUSED'],
}

/** The states in which a call has nothing to do and says so. */
const nothingToDo: Partial<Record<Transition, readonly ExperimentStatus[]>> = {
  launch: ['RUNNING'],
  pause: ['PAUSED'],
  resume: ['RUNNING'],
  complete: ['COMPLETED'],
  archive: ['ARCHIVED'],
  unarchive: ['DRAFT', 'PAUSED', 'COMPLETED'],
}

const reasons: Record<Transition, string> = {
  launch: 'Only a draft can be launched. Resume a paused experiment, and duplicate a completed one.',
  pause: 'Only a running experiment can be paused.',
  resume: 'Only a paused experiment can be resumed. Launch a draft, and duplicate a completed experiment.',
  complete: 'Only a running or paused experiment can be completed.',
  publish: 'Only a running or paused experiment has staged changes. To make a draft live, launch it.',
  declare: 'Only an experiment that was launched and is not archived can have a winner.',
  archive: 'The experiment is running. Pause or complete it before you archive it.',
  unarchive: 'The experiment is running, so it cannot be unarchived.',
  delete: 'Only a draft or an archived experiment can be deleted.',
  edit: 'An archived experiment cannot be changed. Unarchive it first.',
  redefine: 'What was tested can no longer change. Duplicate the experiment.',
  schedule: 'Only a draft, running or paused experiment can be scheduled.',
}

/** Whether a call acts in this state, has nothing to do, or is refused. */
export function verdictOn(transition: Transition, current: ExperimentStatus): 'act' | 'nothing' | Refusal {
  const allowed = allowedStates[transition]
  if (allowed.includes(current)) return 'act'
  if (nothingToDo[transition]?.includes(current)) return 'nothing'
  return refuse('invalid_state', reasons[transition], { current, allowed })
}

/** For a call that cannot be repeated without effect. */
export function refusesIn(transition: Transition, current: ExperimentStatus): Refusal | undefined {
  const verdict = verdictOn(transition, current)
  return isRefusal(verdict) ? verdict : undefined
}
