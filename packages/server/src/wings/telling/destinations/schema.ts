import { z } from 'zod'
import { eventNames } from '../../../catalogue/events.ts'

export const eventField = z.enum(eventNames, { error: (issue) => `There is no event ${String(issue.input)}.` })
/** The events that a destination hears, each once. */
export const eventsField = z
  .array(eventField)
  .min(1, 'Subscribe to at least one event.')
  .max(eventNames.length * 2)
  .transform((names) => [...new Set(names)])

export const digestField = z
  .enum(['NONE', 'HOURLY', 'DAILY'])
  .meta({ description: 'When events are sent: at once, every hour, or once a day. Safety events never wait.' })
