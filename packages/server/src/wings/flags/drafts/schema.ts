import { z } from 'zod'
import { idField } from '../../../fields.ts'
import { previewBody } from '../publishing/index.ts'
import { conditionField, maxRulesPerEnvironment, newAbTestBody, newDeliveryBody } from '../rules/index.ts'
import { overridesBody } from '../switches/index.ts'

/** Names a rule of the draft, and takes what reading it answers. */
const standing = {
  id: idField.optional().meta({ description: 'The id of a rule in the draft or the live version.' }),
  shortId: z.int().optional().meta({ description: 'The number of the rule as read. It cannot change.' }),
  hashVersion: z.literal(1).optional(),
  enabled: z.boolean().optional().meta({
    description: 'The switch of a new rule. Default: true. The switch of an existing rule cannot change here.',
  }),
}

const draftedRule = z.discriminatedUnion('type', [
  newDeliveryBody.omit({ position: true }).extend(standing).meta({ id: 'DraftedDeliveryRule' }),
  newAbTestBody.omit({ position: true }).extend(standing).meta({ id: 'DraftedAbTestRule' }),
  z
    .strictObject({ type: z.literal('UNCHANGED'), id: idField.optional(), key: z.string().optional() })
    .meta({ id: 'UnchangedRule', description: 'A rule whose draft stays the same.' }),
])

export const draftBody = z.strictObject({
  defaultVariationKey: z.string(),
  rules: draftedRule.array().meta({
    maxItems: maxRulesPerEnvironment,
    description:
      'The rules in evaluation order. An existing rule is matched by `id`, or else by `key`; any other rule is new. Omitted rules are deleted, and omitted fields get their defaults, except for the salt, which stays the same.',
  }),
  overrides: overridesBody.optional().meta({
    description: 'If you omit it, the lists do not change. `ruleId` can be the key of a new rule.',
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
      .meta({ description: 'Complete drafts, in the form that replaces a draft. Other flags keep their drafts.' }),
    audiences: z
      .strictObject({ audienceId: idField, conditions: conditionField })
      .array()
      .max(maxPreviewed)
      .default([])
      .meta({ description: 'The conditions of audiences, in the form of an edit.' }),
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
