import { type Condition, compile, type DataFile, murmur3, type Segment } from '@svc/core'
import type { Refusal } from '../../../../catalogue/refusals.ts'
import type { Db } from '../../../../platform/db/index.ts'
import { inSnapshot } from '../../../../platform/transaction.ts'
import { inTurnByKey, orTooBusy } from '../../../../turns.ts'
import { segmentOf } from '../../../model/conditions/index.ts'
import { conditionReferences, ruleReferences, type Version } from '../../../model/versions/index.ts'
import { byId, fragmentOf, type IdOf, sharedBy, withIds } from '../../../serving/datafile/index.ts'
import { comparison, type Preview, refusesEvaluations, type Side } from './compare.ts'
import { generateVisitors, type Visitor } from './generate.ts'
import {
  membersAmong,
  type PreviewedAudience,
  type PreviewedFlag,
  previewedAudiences,
  previewedFlags,
} from './queries.ts'

const generatedVisitors = 1_000
/**
 * Everybody who reads a project can ask for a preview of a million evaluations. Each gives way to other requests, but a
 * crowd of them would do so one after the other.
 */
const inProject = inTurnByKey({ atOnce: 1, waitingAtMost: 10, patienceMs: 10_000 })
// Yields to other requests after this time.
const turnMs = 10

interface PreviewRequest {
  projectId: string
  envId: string
  /** Null means all flags and the edited audiences. */
  flagIds: readonly string[] | null
  visitors: readonly Visitor[] | 'GENERATE'
  now: Date
  gone: AbortSignal
  /** Shown as if it were staged. */
  asIf?: AsIf
}

export interface AsIf {
  /** By id; undefined for a flag that a publish would leave as it is. */
  flags: ReadonlyMap<string, PreviewedFlag | undefined>
  /** Conditions of audiences, by id. */
  audiences: ReadonlyMap<string, Condition>
}

/**
 * Who would get a different value after a publish. Evaluates the live versions and the drafts of the flags that the publish
 * changes, after the reading transaction, and stores nothing.
 */
export const previewPublish = (db: Db, request: PreviewRequest): Promise<Preview | Refusal> =>
  orTooBusy(
    'Too many previews of this project are waiting.',
    inProject(request.projectId, () => preview(db, request)),
  )

async function preview(
  db: Db,
  { envId, flagIds, visitors, now, gone, asIf }: PreviewRequest,
): Promise<Preview | Refusal> {
  const given = visitors === 'GENERATE' ? [] : visitors
  const { flags, audiences, members } = await inSnapshot(db, async (tx) => {
    const present = await previewedAudiences(tx, envId)
    const audiences = present.map((each) => ({ ...each, draft: asIf?.audiences.get(each.id) ?? each.draft }))
    const audienceIds = flagIds ? [] : audiences.filter(isEdited).map(({ id }) => id)
    const staged = await previewedFlags(tx, envId, { flagIds, audienceIds })
    const flags = asIf ? withFlags(staged, asIf.flags) : staged
    const segmentIds = given.length > 0 ? segmentsOf(flags, audiences) : []
    const keys = given.map(({ targetingKey }) => targetingKey)
    return { flags, audiences, members: segmentIds.length > 0 ? await membersAmong(tx, segmentIds, keys) : [] }
  })
  const count = visitors === 'GENERATE' ? generatedVisitors : given.length
  const refusal = refusesEvaluations(flags.length, count)
  if (refusal) return refusal
  const live = fileOf(
    flags,
    ({ live }) => live,
    Object.fromEntries(audiences.map(({ id, live, draft }) => [id, live ?? draft])),
  )
  const staged = fileOf(
    flags,
    ({ draft }) => draft,
    Object.fromEntries(audiences.map(({ id, live, draft }) => [id, flagIds ? (live ?? draft) : draft])),
  )
  const made =
    visitors === 'GENERATE'
      ? generateVisitors({ files: [live, staged], userIds: userIdsOf(flags), seed: seedOf(live, staged), count })
      : { visitors, segments: Object.fromEntries(members.map(({ id, members }) => [id, segmentOf(members)])) }
  const compared = comparison(flags, sideOf(live, made.segments), sideOf(staged, made.segments))
  let turnBegan = performance.now()
  for (const visitor of made.visitors) {
    compared.add(visitor, now.getTime())
    if (performance.now() - turnBegan <= turnMs) continue
    await new Promise(setImmediate)
    if (gone.aborted) break
    turnBegan = performance.now()
  }
  return compared.preview()
}

const withFlags = (staged: readonly PreviewedFlag[], asIf: AsIf['flags']): PreviewedFlag[] =>
  [
    ...staged.filter(({ flagId }) => !asIf.has(flagId)),
    ...[...asIf.values()].filter((flag) => flag !== undefined),
  ].sort((one, other) => (one.key < other.key ? -1 : 1))

const isEdited = ({ live, draft }: PreviewedAudience): boolean =>
  live !== null && JSON.stringify(live) !== JSON.stringify(draft)

const seedOf = (...files: DataFile[]): string => String(murmur3(JSON.stringify(files), 1))

const sideOf = (file: DataFile, segments: Record<string, Segment>): Side => {
  const whole = { ...file, segments }
  return { file: whole, evaluator: compile(whole) }
}

/** The part of a data file that has these flags. Rules, audiences and segments are named by id. */
function fileOf(
  flags: readonly PreviewedFlag[],
  versionOf: (flag: PreviewedFlag) => Version,
  audiences: Record<string, Condition>,
): DataFile {
  const members = flags.flatMap((row) => {
    const version = versionOf(row)
    const state = { ...row, id: row.flagId, archived: false, live: version, enabledRules: new Set(row.enabledRules) }
    const flag = fragmentOf(state, byId)
    const ids = new Map(version.rules.map(({ id, shortId }) => [String(shortId), id]))
    const idIn: IdOf = (kind, name) => (kind === 'rule' ? ids.get(name)! : name)
    return flag ? [[row.key, withIds(flag, idIn)] as const] : []
  })
  return {
    schemaVersion: 1,
    revision: 0,
    environment: { id: '', key: '' },
    publishedAt: null,
    audiences,
    ...sharedBy(flags.flatMap((flag) => versionOf(flag).rules)),
    events: {},
    flags: Object.fromEntries(members),
  }
}

/** Segments that rules name, also by an audience. */
function segmentsOf(flags: readonly PreviewedFlag[], audiences: readonly PreviewedAudience[]): string[] {
  const inRules = flags.flatMap(({ live, draft }) => [...live.rules, ...draft.rules].flatMap(ruleReferences))
  const inAudiences = audiences.flatMap(({ live, draft }) => [
    ...(live ? conditionReferences(live) : []),
    ...conditionReferences(draft),
  ])
  const named = [...inRules, ...inAudiences].filter(({ kind }) => kind === 'segment')
  return [...new Set(named.map(({ id }) => id))]
}

/** Visitors that overrides name, live or drafted. */
const userIdsOf = (flags: readonly PreviewedFlag[]): string[] => [
  ...new Set(
    flags.flatMap(({ live, draft }) =>
      [live, draft].flatMap(({ overrides: { environmentAllowlist, ruleAllowlists } }) =>
        [...environmentAllowlist, ...ruleAllowlists.flatMap(({ entries }) => entries)].flatMap(
          ({ userIds }) => userIds,
        ),
      ),
    ),
  ),
]
