import { invalid, isRefusal, notFound, type Refusal } from '../../../catalogue/refusals.ts'
import { refusesOwned } from '../../model/experiments/index.ts'
import {
  droppedRules,
  type FlagEnvironment,
  pause,
  type RuleDefinition,
  refusesTransition,
  run,
  statusOf,
  withRuleLive,
  withTestLive,
} from '../../model/versions/index.ts'
import type { Flag } from '../flags/index.ts'
import { refusesRun, type Schedule, tooLate, verdictOn } from './schedules/schedule.ts'

/** A locked flag in an environment, on which a switch is decided. */
export interface Standing {
  flag: Flag
  row: FlagEnvironment
  /** Ids of its rules in the environment, with their own switches and owners. */
  rules: ReadonlyMap<string, SwitchedRule>
  /** The open schedules of the environment's switch and of its rules. */
  schedules: readonly Schedule[]
}

interface SwitchedRule {
  enabled: boolean
  experimentId: string | null
  /** Whether a run launches its experiment. */
  launches: boolean
}

/** A run or a pause of the environment or of one rule. */
export interface Move {
  ruleId: string | null
  enabled: boolean
  /** The experiment on whose behalf a rule runs. */
  owner?: string
}

export type Wanted =
  /** A person moves the switch and can stage a different default variation with it. */
  | { move: Move | null; defaultVariationId?: string | undefined; precondition?: Refusal | undefined }
  /** A schedule moves it. */
  | { scheduleId: string }

/** How a switch ends a schedule. */
export interface Ending {
  schedule: Schedule
  status: 'SUSPENDED' | 'DONE' | 'FAILED'
  failureReason: string | null
}

/** The result of a switch. If `moved` is null, nothing changes for visitors. */
export interface Next {
  flag: Flag
  row: FlagEnvironment
  rules: ReadonlyMap<string, SwitchedRule>
  /** Whether the default variation of the draft changed. */
  staged: boolean
  moved: Moved | null
  endings: readonly Ending[]
}

export interface Moved extends Move {
  /** Undefined for the environment. */
  rule: RuleDefinition | undefined
  wasEnabled: boolean
  /** True for the first run, which makes the draft live. */
  tookDraftLive: boolean
  /** Rules that are no longer in either version. */
  droppedRules: readonly string[]
}

/** Decides a switch without acting: first the content, then the switch, then the affected schedules. */
export function decideSwitch(standing: Standing, wanted: Wanted, now: Date): Refusal | Next {
  if ('scheduleId' in wanted) return decideDue(standing, wanted.scheduleId, now)
  const edited = withDefault(standing, wanted.defaultVariationId)
  if (isRefusal(edited)) return edited
  if (wanted.precondition) return wanted.precondition
  if (!wanted.move) return edited
  const owned = refusesOwnedRun(standing, wanted.move)
  if (owned) return owned
  const next = moved(edited, wanted.move)
  if (isRefusal(next)) return next
  const { ruleId, enabled } = wanted.move
  const ofTarget = standing.schedules.filter((schedule) => schedule.ruleId === ruleId)
  // The guard does not refuse a run that changes nothing.
  if (enabled) return (next.moved && refusesRun(ofTarget.find(({ status }) => status === 'PENDING'))) ?? next
  // A paused switch must not start again by itself. A pause of the environment also suspends the runs of its rules.
  const stopped = (ruleId === null ? standing.schedules : ofTarget)
    .filter(({ status, action }) => status === 'PENDING' && action === 'RUN')
    .toSorted((one, other) => one.runAt.getTime() - other.runAt.getTime() || (one.id < other.id ? -1 : 1))
  return { ...next, endings: stopped.map((schedule) => ({ schedule, status: 'SUSPENDED', failureReason: null })) }
}

/** Anyone can pause a rule that an experiment owns. */
const refusesOwnedRun = ({ rules }: Standing, { ruleId, enabled, owner }: Move): Refusal | undefined =>
  enabled && ruleId !== null ? refusesOwned(rules.get(ruleId)?.experimentId ?? null, owner) : undefined

/** A schedule fails if its switch is refused. A schedule that is no longer due changes nothing. */
function decideDue(standing: Standing, scheduleId: string, now: Date): Next {
  const same = unmoved(standing)
  const schedule = standing.schedules.find(({ id }) => id === scheduleId)
  const verdict = schedule ? verdictOn(schedule, now) : 'leave'
  if (!schedule || verdict === 'leave') return same
  const failed = (failureReason: string): Next => ({
    ...same,
    endings: [{ schedule, status: 'FAILED', failureReason }],
  })
  if (verdict === 'fail') return failed(tooLate)
  const move = { ruleId: schedule.ruleId, enabled: schedule.action === 'RUN' }
  if (waitsForFlag(standing, move)) return failed(pausedFlag)
  const next = moved(same, move)
  if (isRefusal(next)) return failed(next.message)
  return { ...next, endings: [{ schedule, status: 'DONE', failureReason: null }] }
}

/**
 * Only a launch or a resume turns on the switch of an experiment, and both serve it. If its switch went on while the flag
 * is paused, a run of the flag would start the experiment.
 */
const waitsForFlag = ({ flag, row, rules }: Standing, { ruleId, enabled }: Move): boolean =>
  enabled && ruleId !== null && rules.get(ruleId)?.experimentId != null && !row.enabled && flag.archivedAt === null

const pausedFlag = 'The flag is paused in the environment. Run it there, then launch or resume the experiment.'

const unmoved = ({ flag, row, rules }: Standing): Next => ({
  flag,
  row,
  rules,
  staged: false,
  moved: null,
  endings: [],
})

function withDefault(standing: Standing, defaultVariationId: string | undefined): Next | Refusal {
  const next = unmoved(standing)
  const { flag, row } = standing
  if (defaultVariationId === undefined) return next
  if (!flag.variations.some(({ id }) => id === defaultVariationId))
    return invalid({ path: ['defaultVariationId'], message: 'The flag has no variation with this id.' })
  if (defaultVariationId === row.draft.defaultVariationId) return next
  const draft = { ...row.draft, defaultVariationId }
  return { ...next, flag: { ...flag, version: flag.version + 1 }, row: { ...row, draft }, staged: true }
}

const refusesArchived = (flag: Flag, row: FlagEnvironment): Refusal | undefined =>
  refusesTransition('run', statusOf(flag, row.enabled))

function moved(next: Next, move: Move): Next | Refusal {
  const refusal = move.enabled ? refusesArchived(next.flag, next.row) : undefined
  if (refusal) return refusal
  return move.ruleId === null ? environmentMoved(next, move) : ruleMoved(next, { ...move, ruleId: move.ruleId })
}

function environmentMoved(next: Next, move: Move): Next {
  const { flag, row } = next
  if (move.enabled === row.enabled) return next
  const after = move.enabled ? run(row) : pause(row)
  const tookDraftLive = move.enabled && !row.published
  return {
    ...next,
    row: after,
    flag: { ...flag, everEnabled: flag.everEnabled || move.enabled },
    moved: {
      ...move,
      rule: undefined,
      wasEnabled: row.enabled,
      tookDraftLive,
      droppedRules: tookDraftLive ? droppedRules(row.live, row.draft) : [],
    },
  }
}

function ruleMoved(next: Next, move: Move & { ruleId: string }): Next | Refusal {
  const { ruleId, enabled } = move
  const { row, rules } = next
  const stored = rules.get(ruleId)
  const rule = [...row.live.rules, ...row.draft.rules].find(({ id }) => id === ruleId)
  if (!stored || !rule) return notFound('Rule')
  const withLive = stored.launches ? withTestLive : withRuleLive
  const live = enabled ? withLive(row, ruleId) : row.live
  if (isRefusal(live)) return live
  if (enabled === stored.enabled && live === row.live) return next
  return {
    ...next,
    row: { ...row, live },
    rules: new Map([...rules, [ruleId, { ...stored, enabled }]]),
    moved: { ...move, rule, wasEnabled: stored.enabled, tookDraftLive: false, droppedRules: [] },
  }
}
