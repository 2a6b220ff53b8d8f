import type { ActionName } from '../../../../catalogue/actions.ts'
import type { Tx } from '../../../../platform/db/index.ts'
import { type Authored, authored } from '../../../../platform/outbox.ts'
import { type ExperimentSummary, type Owner, standingOwner } from '../../../model/experiments/index.ts'
import { saveVersions } from '../../../model/flag-environments/index.ts'
import { deleteRuleRows, saveRuleSwitches } from '../../../model/rules/index.ts'
import { authorshipAfter, type FlagSummary } from '../../../model/versions/index.ts'
import type { FlagStateRow, MovedExperiment, Republished } from '../../../serving/datafile/index.ts'
import { ofFlag, type SwitchedFlag, saveSwitched, updatedEvent } from '../../flags/index.ts'
import type { Decision, Done } from '../decide-each.ts'
import { endedSchedule } from '../schedules/actions.ts'
import { saveEndings } from '../schedules/queries.ts'

const isChanged = ({ next }: Done): boolean => next.moved !== null || next.staged

export const switchesOf = (done: readonly Done[]): SwitchedFlag[] =>
  done.filter(isChanged).map(({ asked, next: { row, staged, moved }, publication }) => ({
    flagId: row.flagId,
    enabled: row.enabled,
    published: row.published,
    lastPublishedRevision: moved?.tookDraftLive ? publication.revision : row.lastPublishedRevision,
    edited: staged,
    at: asked.by.now,
    by: asked.by.actor.name,
  }))

export function savingSwitches(tx: Tx, envId: string, done: readonly Done[]): Promise<void>[] {
  const switches = switchesOf(done)
  return switches.length > 0 ? [saveSwitched(tx, envId, switches)] : []
}

/** The statements that write the rest of the decisions. */
export function saving(tx: Tx, envId: string, done: readonly Done[]): Promise<void>[] {
  const versions = done
    .filter(isChanged)
    .filter(({ place: { row }, next }) => next.row.live !== row.live || next.row.draft !== row.draft)
    .map(({ asked, place, next: { row } }) => ({ ...row, stagedBy: authorshipAfter(place.row, row, asked.by) }))
  const rules = done.flatMap(({ asked, next: { moved } }) =>
    moved?.rule ? [{ id: moved.rule.id, enabled: moved.enabled, at: asked.by.now }] : [],
  )
  const endings = done.flatMap((each) => endedOf(each).map(({ ended }) => ended))
  const dropped = done.flatMap(({ next }) => next.moved?.droppedRules ?? [])
  const statements: Promise<void>[] = []
  if (versions.length > 0) statements.push(saveVersions(tx, envId, versions))
  if (rules.length > 0) statements.push(saveRuleSwitches(tx, rules))
  if (endings.length > 0) statements.push(saveEndings(tx, endings))
  if (dropped.length > 0) statements.push(deleteRuleRows(tx, dropped))
  return statements
}

export const endedOf = ({ asked: { by }, place, next, state }: Decision) =>
  next.endings.map(({ schedule, ...ending }) => {
    const experiment = ownerAfter(state, schedule.ruleId)
    return endedSchedule(
      { flag: next.flag, row: place.row, summary: summaryOf(state), experiment },
      by,
      schedule,
      ending,
    )
  })

/** The experiment that owns a rule, as the switch leaves it. */
function ownerAfter(state: FlagStateRow, ruleId: string | null): ExperimentSummary | undefined {
  const owner = state.owners.find((each) => each.ruleId === ruleId)
  const isEnabled = state.enabled && !state.archived && state.enabledRules.some((id) => id === ruleId)
  return owner && standingOwner(owner, isEnabled && state.live.rules.some(({ id }) => id === ruleId))
}

/** Records what each switch did: audit entries and events. */
export async function record(tx: Tx, done: readonly Done[]): Promise<void> {
  await done[0]?.asked.by.recordAll(tx, done.flatMap(recordsOf))
}

function recordsOf(done: Done): Authored[] {
  const { asked, place, next, state, publication, events } = done
  const { by } = asked
  const { row } = place
  const { envId } = row
  const summary = summaryOf(state)
  const records: Authored[] = []
  if (next.staged)
    records.push(
      authored(by, {
        ...ofFlag(next.flag),
        action: 'flag.stage_default',
        before: { envId, defaultVariationId: row.draft.defaultVariationId },
        after: { envId, defaultVariationId: next.row.draft.defaultVariationId },
        events: [updatedEvent(summary, row)],
      }),
    )
  const isHidden = next.flag.kind === 'WEB'
  const experiment = next.moved?.rule && movedIn(events, place.facts.owners, next.moved.rule.id)
  // The end of an experiment also pauses its hidden flag, and the experiment records it.
  if (next.moved && (experiment || !isHidden)) {
    const { rule, enabled, wasEnabled } = next.moved
    const before = { enabled: wasEnabled, revision: publication.previousRevision }
    const after = { enabled, revision: publication.revision, ...(asked.because && { because: asked.because }) }
    records.push(
      experiment && rule
        ? authored(by, {
            ...ofFlag(next.flag),
            object: { type: 'experiment', id: experiment.id, name: experiment.name },
            action: experiment.action,
            before: { envId, ruleId: rule.id, status: experiment.previousStatus, ...before },
            after: { envId, ruleId: rule.id, status: experiment.status, ...after },
            events: isHidden ? [experiment.event] : [updatedEvent(summary, row, { rule }), ...events],
          })
        : rule
          ? authored(by, {
              ...ofFlag(next.flag),
              object: { type: 'rule', id: rule.id, name: rule.name },
              action: enabled ? 'rule.run' : 'rule.pause',
              before: { envId, ruleId: rule.id, ...before },
              after: { envId, ruleId: rule.id, ...after },
              events: [updatedEvent(summary, row, { rule }), ...events],
            })
          : authored(by, {
              ...ofFlag(next.flag),
              action: enabled ? 'flag.run' : 'flag.pause',
              before: { envId, ...before },
              after: { envId, ...after },
              events: [updatedEvent(summary, row), ...events],
            }),
    )
  }
  return [...records, ...endedOf(done).map(({ recorded }) => recorded)]
}

const movedBy = {
  'experiment.launched': 'experiment.launch',
  'experiment.paused': 'experiment.pause',
  'experiment.resumed': 'experiment.resume',
} as const satisfies Record<MovedExperiment, ActionName>

/** A switch of a rule that starts or stops its experiment is recorded as what happens to the experiment. */
function movedIn(events: Republished['events'], owners: readonly Owner[], ruleId: string) {
  const owner = owners.find((each) => each.ruleId === ruleId)
  for (const { name, payload } of events)
    if (name !== 'flag.published' && name !== 'flag.rule_activated' && payload.experiment.id === owner?.id)
      return { ...payload.experiment, action: movedBy[name], event: { name, payload } }
  return undefined
}

const summaryOf = ({ id, shortId, key, name, status }: FlagStateRow): FlagSummary => ({
  id,
  shortId,
  key,
  name,
  status,
})
