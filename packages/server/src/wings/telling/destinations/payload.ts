import { type EventName, events } from '../../../catalogue/events.ts'
import { bodyFieldOf } from '../../../catalogue/nouns.ts'
import type { TriggeredBy } from '../../../platform/outbox.ts'

/** The project as it is in every payload. */
export interface PayloadProject {
  id: string
  shortId: number
  name: string
}

export interface PayloadSource {
  name: EventName
  occurredAt: Date
  payload: Record<string, unknown>
}

/** The body of a delivery: common fields, the fields of the event, and who caused it (null means the system). */
export function payloadOf(
  deliveryId: string,
  event: PayloadSource,
  project: PayloadProject,
  triggeredBy: TriggeredBy | null,
): Record<string, unknown> {
  return {
    id: deliveryId,
    event: event.name,
    timestamp: event.occurredAt.toISOString(),
    project,
    ...event.payload,
    triggeredBy,
  }
}

/** The id of the subject of an event. For an event about several flags, this is their environment. */
export function sourceEntityOf(name: EventName, body: Record<string, unknown>): string | null {
  const entity = (body[bodyFieldOf(events[name].about)] ?? body.environment) as { id: string } | undefined
  return entity?.id ?? null
}

export function testPayload(deliveryId: string, project: PayloadProject, now: Date): Record<string, unknown> {
  return {
    id: deliveryId,
    event: 'webhook.test',
    timestamp: now.toISOString(),
    project: { id: project.id },
    test: true,
    message: 'This is a test delivery. If you can verify its signature, your endpoint is ready.',
  }
}
