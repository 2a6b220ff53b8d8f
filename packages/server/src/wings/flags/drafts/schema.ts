import { z } from 'zod'
import { idField } from '../../../fields.ts'
import { previewBody } from '../publishing/index.ts'
import { conditionField, maxRulesPerEnvironment, newAbTestBody, newDeliveryBody } from '../rules/index.ts'
import { overridesBody } from '../switches/index.ts'

/** Names a rule of the draft, and takes what reading it answers. */
const standing = {
  id: idField.optional().meta({ description: 'Of a rule that the draft or the live version has.' }),
  shortId: z.int().optional().meta({ description: 'As read: it cannot change.' }),
  hashVersion: z.literal(1).optional(),
  enabled: z.boolean().optional().meta({
    description: 'The switch of a new rule; default: true. That of another rule cannot change here.',
  }),
}

const draftedRule = z.discriminatedUnion('type', [
  newDeliveryBody.omit({ position: true }).extend(standing).meta({ id: 'DraftedDeliveryRule' }),
  newAbTestBody.omit({ position: true }).extend(standing).meta({ id: 'DraftedAbTestRule' }),
  z
    .strictObject({ type: z.literal('UNCHANGED'), id: idField.optional(), key: z.string().optional() })
    .meta({ id: 'UnchangedRule', description: 'A rule that stays as it is drafted.' }),
])

export const draftBody = z.strictObject({
  defaultVariationKey: z.string(),
  rules: draftedRule.array().meta({
    maxItems: maxRulesPerEnvironment,
    description:
      'In evaluation order. A rule is found by `id`, or else by `key`; any other is new. Rules that are left out are deleted, and fields that are left out have their defaults, except for the salt, which stays.',
  }),
  overrides: overridesBody.optional().meta({
    description: 'Left out, the lists stay. `ruleId` can be the key of a new rule.',
  }),
  confirmReassignment: z.boolean().default(false),
})

/** Each takes a transaction of its own. */
const maxPreviewed = 200

/** Drafts and edited audiences as if they were staged, and who sees them. */
export const previewDraftsBody = previewBody
  .extend({
    drafts: draftBody
      .omit({ confirmReassignment: true })
      .extend({ flagId: idField })
      .array()
      .max(maxPreviewed)
      .default([])
      .meta({ description: 'Whole drafts, as a replacement of the draft takes them. Other flags are as they are.' }),
    audiences: z
      .strictObject({ audienceId: idField, conditions: conditionField })
      .array()
      .max(maxPreviewed)
      .default([])
      .meta({ description: 'Conditions of audiences, as an edit takes them.' }),
  })
  .meta({
    example: {
      visitors: 'GENERATE',
      drafts: [{ flagId: 'new-checkout', defaultVariationKey: 'on', rules: [] }],
    },
  })

export type PreviewDraftsRequest = z.output<typeof previewDraftsBody>
export type DraftRequest = z.output<typeof draftBody>
export type DraftedRule = DraftRequest['rules'][number]
