import { z } from 'zod'
import { visitorIdField } from '../../../fields.ts'

export const maxErasedAtOnce = 100

export const erasureBody = z.strictObject({
  units: visitorIdField
    .array()
    .min(1)
    .max(maxErasedAtOnce)
    .transform((units) => [...new Set(units)])
    .meta({ description: `The ids of the visitors, as in the \`unit\` of events. Up to ${maxErasedAtOnce}.` }),
})
