import type { Condition } from '@svc/core'
import type { Goal } from '@svc/web'
import { z } from 'zod'
import { pageConditionsField } from './pages.ts'
import { selectorField } from './selector.ts'

const triggerEvents = ['CLICK', 'FORM_SUBMIT', 'PAGE_VIEW', 'SEEN'] as const satisfies readonly Goal['on'][]

/** What visitors do on a page that the script tells by itself, as the event of a metric. */
export interface Trigger {
  on: Goal['on']
  /** Null for page views alone. */
  selector: string | null
  /** Where it counts; null: on every page. */
  conditions: Condition | null
}

const onField = z.enum(triggerEvents).meta({
  description:
    '`CLICK`: a click on an element or inside of it. `FORM_SUBMIT`: a form is sent. `SEEN`: half of an element shows, or it fills half of the screen. `PAGE_VIEW`: the page is opened.',
})
const selectorText = 'A CSS selector of the elements. Null for a `PAGE_VIEW`, and required otherwise.'
const conditionsText =
  'Targeting conditions over the attributes that pages of web experiments have. It counts where they hold; null: on every page that has the script.'

/** A trigger as a field of a request. */
export const triggerField = z
  .strictObject({
    on: onField,
    selector: selectorField.nullable().default(null).meta({ description: selectorText }),
    conditions: pageConditionsField.nullable().default(null).meta({ description: conditionsText }),
  })
  .superRefine((trigger, context) => {
    const message = selectorFault(trigger)
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['selector'], message })
  })
  .meta({ id: 'MetricTrigger' })

/** A trigger as an answer shows it. */
export const triggerSchema = z
  .object({
    on: onField,
    selector: z.string().nullable().meta({ description: selectorText }),
    conditions: z.unknown().meta({ description: conditionsText }),
  })
  .meta({ id: 'CurrentMetricTrigger' })

function selectorFault({ on, selector }: Pick<Trigger, 'on' | 'selector'>): string | undefined {
  if (on === 'PAGE_VIEW') return selector === null ? undefined : 'must be null when on is PAGE_VIEW.'
  return selector === null ? `is required when on is ${on}.` : undefined
}

/** A metric with its trigger as pages get it. */
export const goalOf = (eventKey: string, { on, selector, conditions }: Trigger): Goal => ({
  ...{ eventKey, on, selector },
  when: conditions,
})
