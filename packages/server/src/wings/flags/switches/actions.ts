import { isRefusal, notFound, type Refusal } from '../../../catalogue/refusals.ts'
import { type IfMatch, versionEtag } from '../../../http/etag.ts'
import { currentWhole, isUnavailable, type Tx } from '../../../platform/db/index.ts'
import type { Author } from '../../../platform/outbox.ts'
import { alone, answeredTogether } from '../../../platform/together.ts'
import { inOneTrip } from '../../../platform/transaction.ts'
import { markPublished } from '../../model/flag-environments/index.ts'
import type { FlagEnvironment, FlagStatus } from '../../model/versions/index.ts'
import {
  lockEnvironment,
  type Publication,
  type Publishing,
  type Republish,
  type Republished,
  type Turn,
  type Why,
} from '../../serving/datafile/index.ts'
import { type Flag, flagEtag, lockFlagsIn, notingSwitched } from '../flags/index.ts'
import {
  type Asked,
  type Decision,
  type Done,
  decideEach,
  placesOf,
  type WantedOf,
  type WhichEnvironment,
} from './decide-each.ts'
import { findSwitchFacts } from './queries.ts'
import { endedOf, record, saving, savingSwitches, switchesOf } from './saving/actions.ts'
import { type DueSchedule, openSchedulesIn } from './schedules/queries.ts'
import type { Schedule } from './schedules/schedule.ts'

/** The state of the switch, and whether this call changed it. */
export interface SwitchResult {
  flagId: string
  envId: string
  ruleId: string | null
  enabled: boolean
  changed: boolean
  flagStatus: FlagStatus
  dataFile: Pick<Publication, 'revision' | 'etag' | 'publishedAt'>
  suspendedSchedules: Schedule[]
  flag: Flag
  row: FlagEnvironment
}

/** Runs or pauses. Takes effect before the promise resolves. */
export type Switching = (asked: Asked) => Promise<SwitchResult | Refusal>

/**
 * Concurrent switches of one environment share a transaction, because they would wait for each other's commit. Requests
 * that arrive during a transaction form the next one. Each switch has its own revision, audit entry and events.
 */
export function switching(change: Publishing): Switching {
  const together = answeredTogether<Asked, SwitchResult | Refusal>(
    (_environment, asked) => switchTogether(change, asked),
    isUnavailable,
  )
  return async (asked) => {
    const { orgId, projectId, envId } = asked.which
    // This is part of a larger transaction, which other requests must not join.
    if (currentWhole()) return (await switchTogether(change, [asked]))[0] as SwitchResult | Refusal
    return together(`${orgId} ${projectId} ${envId}`, asked)
  }
}

/** Stages a different default variation, then runs or pauses. If one of the two is refused, neither happens. */
export const updateFlagEnvironment = (
  switching: Switching,
  by: Author,
  ifMatch: IfMatch,
  which: WhichEnvironment,
  { defaultVariationId, enabled }: { defaultVariationId?: string | undefined; enabled?: boolean | undefined },
): Promise<SwitchResult | Refusal> =>
  switching({
    which,
    by,
    ifMatch,
    defaultVariationId,
    move: enabled === undefined ? null : { ruleId: null, enabled },
  })

/** Carries out a due schedule exactly once: its switch and its end are in one transaction. */
export async function carryOut(switching: Switching, by: Author, { id, ...which }: DueSchedule): Promise<void> {
  await switching({ which, by, scheduleId: id })
}

/** Locks, decides, writes, publishes and records switches of one environment. A refusal does not affect the others. */
async function switchTogether(
  change: Publishing,
  asked: readonly Asked[],
): Promise<(SwitchResult | Refusal | typeof alone)[]> {
  const { orgId, projectId, envId } = asked[0]!.which
  const flagIds = [...new Set(asked.map(({ which }) => which.flagId))]
  const result = await change(async (tx, republish, planTurns) => {
    const [environment, flags, facts] = await inOneTrip([
      lockEnvironment(tx, { orgId, projectId, envId }),
      lockFlagsIn(tx, orgId, flagIds, envId),
      findSwitchFacts(tx, flagIds, envId),
    ])
    if (!environment) return asked.map(() => notFound('Environment'))
    const schedules = facts.some(({ scheduled }) => scheduled) ? await openSchedulesIn(tx, flagIds, envId) : []
    const decided = decideEach(asked, placesOf(environment, flags, facts, schedules), wantedOf)
    const [only] = decided
    if (isDecision(only) && only.movesParts) return [await switchAlone(tx, republish, only)]
    const decisions = decided.filter(isDecision)
    const moved = decisions.filter(({ next }) => next.moved)
    const plan = await planTurns(tx, [environment], moved.map(turnOf))
    const outcomes = decided.map((each) => {
      if (!isDecision(each)) return each
      const outcome = each.next.moved ? plan.outcomes[moved.indexOf(each)]! : { publications: [], events: [] }
      return isRefusal(outcome) ? outcome : doneWith(each, outcome)
    })
    const done = outcomes.filter(isDecision)
    const [published, others] = [done.filter(isPublished), done.filter((each) => !isPublished(each))]
    const switches = switchesOf(published)
    const alongside = { switches, part: notingSwitched(switches) }
    await inOneTrip([
      ...savingSwitches(tx, envId, others),
      ...saving(tx, envId, done),
      switches.length > 0 ? plan.save(alongside) : plan.save(),
      record(tx, done),
    ])
    return outcomes.map((each) => (isDecision(each) ? answerOf(each) : (each ?? alone)))
  })
  return isRefusal(result) ? asked.map(() => result) : result
}

const isDecision = <Made extends Decision>(each: Made | Refusal | null | undefined): each is Made =>
  typeof each === 'object' && each !== null && 'next' in each

const wantedOf: WantedOf = (asked, { flag, facts }) => {
  if ('scheduleId' in asked) return asked
  const { move, ifMatch } = asked
  if (!move?.ruleId) return { ...asked, precondition: ifMatch?.(flagEtag(flag)) }
  const rule = facts.rules.find(({ id }) => id === move.ruleId)
  return { ...asked, precondition: rule && ifMatch?.(versionEtag('rule', rule.version)) }
}

const turnOf = ({ asked: { by, which }, state }: Decision): Turn => ({
  by,
  why: switched,
  flags: new Map([[which.envId, state]]),
})

const switched: Why = { reason: 'SWITCHED' }

function doneWith(decision: Decision, { publications, events }: Pick<Republished, 'publications' | 'events'>): Done {
  const { environment } = decision.place
  const [publication = { ...environment, previousRevision: environment.revision }] = publications
  return { ...decision, publication, events }
}

/** Writes first, because all rows of the environment decide which audiences and segments the file needs. */
async function switchAlone(tx: Tx, republish: Republish, decision: Decision): Promise<SwitchResult> {
  const { asked, place, next } = decision
  const { id: envId } = place.environment
  const unpublished = [doneWith(decision, { publications: [], events: [] })]
  await inOneTrip([...savingSwitches(tx, envId, unpublished), ...saving(tx, envId, unpublished)])
  const published = await republish(tx, [place.environment], [next.flag.id], asked.by, switched)
  const done = doneWith(decision, published)
  if (next.moved?.tookDraftLive) await markPublished(tx, envId, [next.flag.id], done.publication.revision)
  await record(tx, [done])
  return answerOf(done)
}

/** The data file of such a switch changes, and the statement that saves it saves the switch as well. */
const isPublished = ({ publication }: Done): boolean => publication.revision > publication.previousRevision

function answerOf(done: Done): SwitchResult {
  const { asked, next, state, publication } = done
  const { flag, row, moved } = next
  const { revision, etag, publishedAt } = publication
  const move = 'move' in asked ? asked.move : null
  const { ruleId, enabled } = move?.ruleId ? move : { ruleId: null, enabled: row.enabled }
  return {
    flagId: flag.id,
    envId: row.envId,
    ruleId,
    enabled,
    changed: moved !== null,
    flagStatus: state.status,
    dataFile: { revision, etag, publishedAt },
    suspendedSchedules: endedOf(done).flatMap(({ ended }) => (ended.status === 'SUSPENDED' ? [ended] : [])),
    flag,
    row,
  }
}
