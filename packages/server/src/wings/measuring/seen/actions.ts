import { compileCondition } from '@svc/core'
import type { Db } from '../../../platform/db/index.ts'
import type { Audience } from '../../flags/audiences/index.ts'
import { segmentOf } from '../../model/conditions/index.ts'
import { leaveNewest, membersIn, saveVisitors, visitorsIn } from './queries.ts'
import { asksAbout, attributesOf, keptOf, type SeenVisitor, unknownIn } from './seen.ts'

/** Adds visitors to the samples of their environments. */
export async function addVisitors(db: Db, visitors: readonly SeenVisitor[]): Promise<void> {
  const kept = visitors.map(({ facts, ...visitor }) => ({ ...visitor, attributes: keptOf(facts) }))
  await db.transaction().execute(async (tx) => {
    await saveVisitors(tx, kept)
    await leaveNewest(tx, [...new Set(visitors.map(({ envId }) => envId))])
  })
}

/** How many visitors there are, and when they were seen. */
const sampleOf = (visitors: readonly { seenAt: Date }[]) => ({
  visitors: visitors.length,
  from: visitors[0]?.seenAt.toISOString() ?? null,
  to: visitors.at(-1)?.seenAt.toISOString() ?? null,
})

/** The attributes that visitors of an environment had lately, with values to suggest. */
export async function seenAttributes(db: Db, envId: string, samplesVisitors: boolean) {
  const visitors = await visitorsIn(db, envId)
  const attributes = attributesOf(visitors.map((visitor) => visitor.attributes))
  return { envId, samplesVisitors, sample: sampleOf(visitors), attributes }
}

interface Asked {
  audience: Pick<Audience, 'projectId' | 'conditions'>
  envId: string
  samplesVisitors: boolean
}

/** How many of the visitors in the sample match the edited conditions of an audience. */
export async function reachOf(db: Db, { audience, envId, samplesVisitors }: Asked, now: Date) {
  const { projectId, conditions } = audience
  const visitors = await visitorsIn(db, envId)
  const asked = asksAbout(conditions)
  const units = visitors.map(({ unit }) => unit)
  const members = asked.segments.length > 0 ? await membersIn(db, projectId, asked.segments, units) : []
  const segments = Object.fromEntries(
    asked.segments.map((id) => [id, segmentOf(members.flatMap((each) => (each.segmentId === id ? [each.unit] : [])))]),
  )
  const holds = compileCondition(conditions, { segments })
  const matching = visitors.filter(({ unit, attributes }) =>
    holds({ ...attributes, targetingKey: unit }, now.getTime()),
  ).length
  const unknownAttributes = unknownIn(
    visitors.map(({ attributes }) => attributes),
    asked.attributes,
  )
  return { envId, samplesVisitors, sample: sampleOf(visitors), matching, unknownAttributes }
}
