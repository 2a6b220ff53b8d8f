import { compileCondition, type DataFile, type EvaluationContext, failedConditions, userOf } from '@svc/core'
import { invalid, isRefusal, type Refusal } from '../../../catalogue/refusals.ts'
import type { Db } from '../../../platform/db/index.ts'
import { inOneTrip, inSnapshot } from '../../../platform/transaction.ts'
import { segmentOf } from '../../model/conditions/index.ts'
import type { FlagKind } from '../../model/versions/index.ts'
import { byId, fragmentOf, type IdOf, parseFragment, renamed, withIds } from '../../serving/datafile/index.ts'
import type { Audience } from '../audiences/index.ts'
import { flagsOfRevision, isKept, revisionAt, type ServedName, servedNames } from '../revisions/index.ts'
import { type ExplainedFlag, explainFlag, notFoundFlag, shownFailures } from './explanation.ts'
import {
  audiencesDrafted,
  audiencesNow,
  audiencesOfRevision,
  type FlagNow,
  flagsNow,
  segmentsNow,
  segmentsOfRevision,
  segmentsWith,
} from './queries.ts'

export interface Question {
  envId: string
  /** The environment's newest revision. */
  current: number
  context: EvaluationContext
  flagKeys: readonly string[] | undefined
  at: Date | undefined
  revision: number | undefined
  draft: boolean
  /** For drafts: evaluates them as if the switches of all rules were on. */
  everyRule?: boolean
}

// Yields to other requests after this time.
const turnMs = 10

/** What a visitor gets and why: from the live versions, a past revision or the drafts. */
export async function explainEvaluation(db: Db, question: Question, now: Date) {
  const visitor = userOf(question.context) ?? ''
  const asked = await inSnapshot(db, (tx) => findAsked(tx, question, visitor))
  if (isRefusal(asked)) return asked
  const sections = { audiences: asked.audiences, segments: holdingOnly(visitor, asked.segments) }
  const byKey = new Map(asked.flags.map((flag) => [flag.key, flag]))
  const show = shownFailures()
  const flags = []
  let turnBegan = performance.now()
  for (const key of new Set(question.flagKeys ?? [...byKey.keys()].sort())) {
    if (performance.now() - turnBegan > turnMs) {
      await new Promise(setImmediate)
      turnBegan = performance.now()
    }
    const flag = byKey.get(key)
    flags.push(
      flag ? explainFlag({ ...flag, ...sections, show }, question.context, question.at ?? now) : notFoundFlag(key),
    )
  }
  return { envId: question.envId, revision: asked.revision, flags }
}

/** Whether a visitor is in an audience, as it is edited, and which of its conditions fail. */
export async function explainAudience(
  db: Db,
  { projectId, conditions }: Pick<Audience, 'projectId' | 'conditions'>,
  context: EvaluationContext,
  now: Date,
) {
  const visitor = userOf(context) ?? ''
  const sections = { audiences: {}, segments: holdingOnly(visitor, await segmentsWith(db, projectId, visitor)) }
  const matches = compileCondition(conditions, sections)(context, now.getTime())
  return { matches, ...shownFailures()(failedConditions(conditions, sections, context, now.getTime())) }
}

interface Asked {
  revision: number | null
  flags: ExplainedFlag[]
  audiences: DataFile['audiences']
  /** Ids of the segments that contain the visitor. */
  segments: string[]
}

async function findAsked(
  db: Db,
  { envId, current, at, revision, draft, everyRule = false }: Question,
  visitor: string,
): Promise<Asked | Refusal> {
  if (draft || (at === undefined && revision === undefined)) {
    const [rows, audiences, segments, names] = await inOneTrip([
      flagsNow(db, envId),
      draft ? audiencesDrafted(db, envId) : audiencesNow(db, envId),
      segmentsNow(db, envId, visitor),
      servedNames(db, envId),
    ])
    if (draft) return { revision: null, flags: rows.flatMap((row) => drafted(row, everyRule)), audiences, segments }
    return { revision: rows[0]?.revision ?? current, ...servedThen(rows, audiences, names), segments }
  }
  const past = at ? await revisionAt(db, envId, at) : revision
  if (past === undefined) return invalid({ path: ['at'], message: 'No revision from this time is stored.' })
  if (!(await isKept(db, envId, { revision: past, step: null })))
    return invalid({ path: ['revision'], message: 'No revision with this number is stored.' })
  const [rows, audiences, segments, names] = await inOneTrip([
    flagsOfRevision(db, envId, past),
    audiencesOfRevision(db, envId, past),
    segmentsOfRevision(db, envId, past, visitor),
    servedNames(db, envId),
  ])
  return { revision: past, ...servedThen(rows, audiences, names), segments }
}

/** Segments in the form of a data file, with this visitor as the only member. */
function holdingOnly(visitor: string, segmentIds: readonly string[]): NonNullable<DataFile['segments']> {
  const only = segmentOf([visitor])
  return Object.fromEntries(segmentIds.map((id) => [id, only]))
}

type ServedFlag = Pick<ExplainedFlag, 'experimentId' | 'key'> & {
  flagId: string
  kind: FlagKind
  fragment: string | null
  live: ExplainedFlag['version']
}

/** Responses name rules, audiences and segments by id. Data files name them by short id, older data files by id. */
function servedThen(rows: readonly ServedFlag[], audiences: DataFile['audiences'], names: readonly ServedName[]) {
  const ids = new Map(names.map(({ section, shortId, id }) => [`${section}:${shortId}`, id]))
  const idOf = (kind: 'audience' | 'segment', name: string) => ids.get(`${kind}s:${name}`) ?? name
  const flags = rows.flatMap(({ flagId, kind, experimentId, key, fragment, live }) => {
    const flag = parseFragment(fragment)
    const ruleIds = new Map(live.rules.map(({ id, shortId }) => [String(shortId), id]))
    const idIn: IdOf = (kind, name) => (kind === 'rule' ? (ruleIds.get(name) ?? name) : idOf(kind, name))
    const named = { flagId: shownId(flagId, kind), experimentId, key }
    return flag ? [{ ...named, flag: withIds(flag, idIn), version: live }] : []
  })
  const conditions = Object.entries(audiences).map(([id, condition]) => [id, renamed(condition, idOf)] as const)
  return { flags, audiences: Object.fromEntries(conditions) }
}

function drafted({ flagId, experimentId, key, draft, enabledRules, ...row }: FlagNow, everyRule: boolean) {
  const enabled = new Set(everyRule ? draft.rules.map(({ id }) => id) : enabledRules)
  const flag = fragmentOf({ ...row, id: flagId, live: draft, enabledRules: enabled }, byId)
  const ids = new Map(draft.rules.map(({ id, shortId }) => [String(shortId), id]))
  const idIn: IdOf = (kind, name) => (kind === 'rule' ? ids.get(name)! : name)
  const named = { flagId: shownId(flagId, row.kind), experimentId, key }
  return flag ? [{ ...named, flag: withIds(flag, idIn), version: draft }] : []
}

const shownId = (flagId: string, kind: FlagKind): string | null => (kind === 'WEB' ? null : flagId)
