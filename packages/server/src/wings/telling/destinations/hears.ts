import { type EventName, isOrganizationWide, isSafetyEvent } from '../../../catalogue/events.ts'
import { type NotificationFilter, passes } from '../notifications/index.ts'
import { textAt } from '../tickets/index.ts'
import { isTicketKind } from './kinds/index.ts'

/** In `events`, this means all safety events, also those that a later version adds. */
export const everySafetyEvent = 'SAFETY'

/** What a destination that is enabled wants to hear. */
export interface Ears {
  kind: string
  projectId: string
  allProjects: boolean
  /** Whether it is the mail of one person, which is about its project alone. */
  isOwn: boolean
  events: readonly (EventName | typeof everySafetyEvent)[]
  /** Null means all. */
  environmentIds: readonly string[] | null
  /** Of the organization. */
  filter: NotificationFilter | null
}

/**
 * Whether a destination hears an event. The first "no" ends it. Safety events ask neither for environments nor for the
 * keyword filter.
 *
 * @param ends the events whose tickets this one ends: a destination that makes a ticket also hears its end
 */
export function hears(
  { kind, projectId, allProjects, isOwn, events, environmentIds, filter }: Ears,
  event: { name: EventName; projectId: string; payload: Record<string, unknown> },
  ends: readonly EventName[],
): boolean {
  const isOfAllProjects = allProjects || (isOrganizationWide(event.name) && !isOwn)
  if (projectId !== event.projectId && !isOfAllProjects) return false
  if (isTicketKind(kind) && ends.some((name) => events.includes(name))) return true
  const isSafety = isSafetyEvent(event.name)
  if (!events.includes(event.name) && !(isSafety && events.includes(everySafetyEvent))) return false
  if (isSafety) return true
  const environmentId = textAt(event.payload, 'environment', 'id')
  if (environmentIds && environmentId && !environmentIds.includes(environmentId)) return false
  return passes(filter, event)
}
