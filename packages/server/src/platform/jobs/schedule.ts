import { Cron } from 'croner'
import { z } from 'zod'
import { isTimeZone } from '../../fields.ts'
import { isoSecond } from './job.ts'

const leastMinutes = 5
const maxCronLength = 100
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** A slot without a job is reported after this time. */
export const lateAfterMs = 5 * minuteMs
const slotsWithoutSuccess = 3

const timezone = z
  .string()
  .max(100)
  .refine(isTimeZone, 'Must be the name of a time zone, such as Europe/Amsterdam.')
  .default('UTC')
  .meta({ description: 'A name of the IANA time zone database. Default: UTC.', examples: ['Europe/Amsterdam'] })

const everySchema = z
  .strictObject({
    every: z.enum(['HOUR', 'DAY']),
    at: z
      .string()
      .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Must be a time such as 03:15.')
      .meta({ description: 'Of an hourly schedule, only the minutes count.', examples: ['03:15'] }),
    timezone,
  })
  .meta({ id: 'EverySchedule' })

const cronSchema = z
  .strictObject({
    cron: z
      .string()
      .max(maxCronLength)
      .superRefine((text, context) => {
        const message = cronFault(text)
        if (message !== undefined) context.addIssue({ code: 'custom', message })
      })
      .meta({
        description: `Minute, hour, day of the month, month, day of the week. Runs are at least ${leastMinutes} minutes apart.`,
        examples: ['15 * * * *'],
      }),
    timezone,
  })
  .meta({ id: 'CronSchedule' })

/** When jobs of a source run by themselves. */
export const scheduleField = z.union([everySchema, cronSchema]).meta({
  description:
    'When to run without a request. A time that a change of clocks skips moves to the next one that there is; of a time that comes twice, a daily run takes the first.',
})

export type Schedule = z.output<typeof scheduleField>

/** What is wrong with a pattern; undefined if nothing is. */
function cronFault(text: string): string | undefined {
  const fields = text.split(' ')
  // `?` would mean the time at which this process has read the pattern.
  if (fields.length !== 5 || text.includes('?')) return notCron
  const pattern = patternOf(text, 'UTC')
  if (!pattern) return notCron
  if (!pattern.nextRun(anyDay)) return 'Must have a day that exists.'
  const [minutes, hours] = fields
  return leastGapMs(patternOf(`${minutes} ${hours} * * *`, 'UTC')!) < leastMinutes * minuteMs
    ? `Must leave at least ${leastMinutes} minutes between two runs, also around midnight.`
    : undefined
}

const notCron = 'Must be a cron pattern of five fields, such as 15 * * * *.'
const anyDay = new Date('2026-01-01T00:00:00.000Z')

/** The shortest time between two runs on two days in a row. A larger gap is not looked for after one that is too short. */
function leastGapMs(pattern: Cron): number {
  let gapMs = Number.POSITIVE_INFINITY
  let last = pattern.nextRun(new Date(anyDay.getTime() - 1))!
  while (last.getTime() < anyDay.getTime() + dayMs && gapMs >= leastMinutes * minuteMs) {
    const next = pattern.nextRun(last)!
    gapMs = Math.min(gapMs, next.getTime() - last.getTime())
    last = next
  }
  return gapMs
}

function patternOf(cron: string, timeZone: string): Cron | undefined {
  try {
    return new Cron(cron, { timezone: timeZone, paused: true, mode: '5-part' })
  } catch {
    return undefined
  }
}

/** The first slot after a moment. */
export function nextSlot(schedule: Schedule, after: Date): Date {
  const slot = patternOf(cronOf(schedule), schedule.timezone)?.nextRun(after)
  if (!slot) throw new Error(`The schedule ${JSON.stringify(schedule)} has no slot.`)
  return slot
}

function cronOf(schedule: Schedule): string {
  if ('cron' in schedule) return schedule.cron
  const [hour, minute] = schedule.at.split(':').map(Number)
  return `${minute} ${schedule.every === 'HOUR' ? '*' : hour} * * *`
}

/**
 * When it is a problem that no run has succeeded since a moment: three slots have passed, the last one by as long as a
 * slot can be late, and so has a day.
 */
export function overdueAt(schedule: Schedule, since: Date): Date {
  let slot = since
  for (let slots = 0; slots < slotsWithoutSuccess; slots += 1) slot = nextSlot(schedule, slot)
  return new Date(Math.max(slot.getTime() + lateAfterMs, since.getTime() + dayMs))
}

export const notStarted = (slot: Date): string => `The run due at ${isoSecond(slot)} did not start.`

export const noneSucceeded = (since: Date): string => `No run has succeeded since ${isoSecond(since)}.`
