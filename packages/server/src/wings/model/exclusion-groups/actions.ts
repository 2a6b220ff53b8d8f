import { type Refusal, refuse } from '../../../catalogue/refusals.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { useOf } from '../rules/index.ts'
import type { Exclusion, RuleDefinition } from '../versions/index.ts'
import { type GroupSlot, type JoinedGroup, lockGroups, slotless, slotsOf } from './queries.ts'
import { slotFor } from './slots.ts'

interface Place {
  projectId: string
  envId: string
}

/**
 * The slot with which a rule joins a group. Null if the project has no such group. The group stays locked until the
 * transaction ends, so of two rules that join at once, the second sees the slot of the first.
 */
export async function joinGroup(
  tx: Tx,
  { projectId, envId }: Place,
  ruleId: string,
  groupId: string,
): Promise<Exclusion | Refusal | null> {
  const [group] = await lockGroups(tx, projectId, [groupId])
  if (!group) return null
  const taken = await slotsOf(tx, { projectId, envId, groupIds: [group.id] })
  const slot = slotFor(ruleId, group.slotSize, taken)
  return slot ? exclusionIn(group, slot) : refusesFull(group, taken)
}

/**
 * Rules that come from elsewhere: copies, and those of a past revision. Each gets a slot in its group, its former one if
 * that is still free. The rule of an experiment that needs no slot stays as it is.
 */
export async function rejoinGroups(
  tx: Tx,
  { projectId, envId }: Place,
  rules: readonly RuleDefinition[],
): Promise<RuleDefinition[] | Refusal> {
  const members = rules.filter((rule) => exclusionOf(rule) !== null)
  if (members.length === 0) return [...rules]
  const without = await slotless(
    tx,
    members.map(({ id }) => id),
  )
  const wanted = [...new Set(members.flatMap((rule) => (without.has(rule.id) ? [] : exclusionOf(rule)!.groupId)))]
  if (wanted.length === 0) return [...rules]
  const groups = await lockGroups(tx, projectId, wanted)
  const taken = await slotsOf(tx, { projectId, envId, groupIds: wanted })
  const placed: RuleDefinition[] = []
  for (const rule of rules) {
    const exclusion = exclusionOf(rule)
    if (!exclusion || rule.type !== 'AB_TEST' || without.has(rule.id)) {
      placed.push(rule)
      continue
    }
    const group = groups.find(({ id }) => id === exclusion.groupId)
    if (!group)
      return refuse('invalid_state', 'A rule belongs to an exclusion group that no longer exists.', {
        references: [{ type: 'exclusion_group', id: exclusion.groupId }],
      })
    const inGroup = taken.filter(({ groupId }) => groupId === group.id)
    const slot = slotFor(rule.id, group.slotSize, inGroup, exclusion)
    if (!slot) return refusesFull(group, inGroup)
    taken.push({ groupId: group.id, ruleId: rule.id, flagId: '', experimentId: null, envId, ...slot })
    placed.push({ ...rule, exclusion: exclusionIn(group, slot) })
  }
  return placed
}

const exclusionOf = (rule: RuleDefinition): Exclusion | null => (rule.type === 'AB_TEST' ? rule.exclusion : null)

const exclusionIn = ({ id, shortId, salt }: JoinedGroup, { from, to }: Pick<Exclusion, 'from' | 'to'>): Exclusion => ({
  groupId: id,
  shortId,
  salt,
  from,
  to,
})

function refusesFull({ key }: JoinedGroup, taken: readonly GroupSlot[]): Refusal {
  const members = taken.filter(({ flagId }) => flagId !== '')
  return refuse(
    'invalid_state',
    `The exclusion group ${key} is full in this environment. Complete or delete one of its tests, publish, and try again, or use a different group.`,
    { references: members.map(useOf) },
  )
}
