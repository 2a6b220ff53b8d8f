import { z } from 'zod'
import { contextField, explainedFlagSchema } from '../../../flags/explain/index.ts'
import { contextOfPage } from '../../../model/web/index.ts'

const maxUrlLength = 2000

export const trialBody = z
  .strictObject({
    url: z
      .string()
      .max(maxUrlLength)
      .refine((url) => contextOfPage(url) !== undefined, 'must be an address that begins with http:// or https://.')
      .meta({ description: 'The address of the page, with query and hash.' }),
    context: contextField.default({}).meta({
      description:
        'What the site and the script know of the visitor: `targetingKey` and attributes. They come before those of the address, as on a page.',
    }),
    version: z.enum(['DRAFT', 'LIVE']).default('DRAFT').meta({
      description: 'DRAFT: as edited, as if the experiment ran. LIVE: what visitors get now.',
    }),
  })
  .meta({
    id: 'ExperimentTrialBody',
    example: {
      url: 'https://shop.example/pricing?plan=pro',
      context: { targetingKey: 'u-17', device: 'mobile' },
      version: 'DRAFT',
    },
  })

export const trialSchema = z
  .object({
    pages: z.string().array().meta({
      description:
        'The keys of the pages that hold. With none, the visitor takes no part on this address, whatever the evaluation says.',
    }),
    evaluation: explainedFlagSchema.meta({ description: 'Which variation the visitor gets on these pages, and why.' }),
  })
  .meta({ id: 'ExperimentTrial' })
