import { z } from 'zod'
import { manifestTypes } from './manifest.ts'

const example = {
  key: 'new-checkout',
  name: 'New checkout',
  type: 'boolean' as const,
  description: 'The checkout in one page',
  defaultValue: false,
}

export const manifestSchema = z
  .object({
    flags: z
      .object({
        key: z.string(),
        name: z.string(),
        type: z
          .enum(manifestTypes)
          .meta({ description: 'For a `NUMBER` flag: `integer` if every value is whole, otherwise `float`.' }),
        description: z.string().optional().meta({ description: 'Absent if the flag has none.' }),
        defaultValue: z.unknown().meta({ description: 'The value of the default variation of the flag.' }),
      })
      .meta({ id: 'ManifestFlag', example })
      .array()
      .meta({ description: 'Sorted by key, without archived flags.' }),
  })
  .meta({ id: 'Manifest', example: { flags: [example] } })
