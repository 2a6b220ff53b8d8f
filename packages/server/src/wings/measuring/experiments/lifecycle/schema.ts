import { z } from 'zod'
import { scheduleSchema, scriptSchema, winnerSchema } from '../../../../catalogue/payloads.ts'
import { timeField } from '../../../../fields.ts'
import { differenceSchema } from '../../../flags/publishing/index.ts'
import { presentSchedule } from '../../../flags/switches/index.ts'
import { experimentStatuses } from '../../../model/experiments/index.ts'
import type { Moved } from './actions.ts'
import { warningCodes } from './warnings.ts'

const statusField = z.enum(experimentStatuses)

export const movedSchema = z
  .object({
    experimentId: z.string(),
    status: statusField,
    previousStatus: statusField,
    changed: z.boolean(),
    dataFile: z.object({ revision: z.int(), etag: z.string(), publishedAt: timeField.nullable() }),
    script: scriptSchema
      .nullable()
      .meta({ description: 'What pages load after the call; null for a FEATURE experiment.' }),
    suspendedSchedules: z.array(scheduleSchema).meta({ description: 'Schedules that the pause suspended.' }),
    warnings: z
      .object({
        code: z.enum(warningCodes),
        message: z.string(),
      })
      .array()
      .meta({ description: 'Problems to check. The call has done its work.' }),
  })
  .meta({ id: 'ExperimentMove' })

export const startExperimentBody = z
  .strictObject({
    dryRun: z.boolean().default(false).meta({
      description:
        'Only shows the problems to check, in `warnings`. With `FLAG_PAUSED`, `NO_PAGES`, `NO_CHANGES` or `HOST_NOT_ALLOWED` among them, the call itself would be refused.',
    }),
  })
  .meta({ id: 'StartExperimentBody' })
  .optional()

const maxCommentLength = 1000

export const commentField = z.string().max(maxCommentLength).nullable().default(null)

export const publishExperimentBody = z
  .strictObject({
    comment: commentField,
    newPhase: z.boolean().default(false).meta({
      description:
        'Begins a new phase: results count only what comes after the publish. If false, a phase begins only if visitors are reassigned, and each phase is compared separately.',
    }),
    dryRun: z.boolean().default(false).meta({ description: 'Only shows what would change.' }),
    confirmReassignment: z.boolean().default(false).meta({
      description: 'Required if visitors of a running experiment get a different variation.',
    }),
  })
  .optional()

export const publishedExperimentSchema = movedSchema
  .extend({
    changes: differenceSchema.array().meta({ description: 'All staged changes of the flag that were published.' }),
  })
  .meta({ id: 'ExperimentPublication' })

export const declareWinnerBody = z.strictObject({
  variationKey: z.string().meta({ description: 'A variation of the experiment.' }),
  comment: commentField,
  rollOut: z.boolean().default(false).meta({
    description: 'Replaces the test with a delivery rule of the variation for the same audience, live at once.',
  }),
  dryRun: z.boolean().default(false).meta({ description: 'Only shows what would change.' }),
})

export type WinnerRequest = z.output<typeof declareWinnerBody>

export const declaredWinnerSchema = movedSchema
  .extend({
    winner: winnerSchema.meta({ description: 'The winner; with `dryRun`, as it would be declared.' }),
    changes: differenceSchema.array().meta({ description: 'What the roll-out changes in the flag for visitors.' }),
  })
  .meta({ id: 'WinnerDeclaration' })

export const presentMove = (moved: Moved): z.infer<typeof movedSchema> => ({
  experimentId: moved.experiment.id,
  status: moved.experiment.status,
  previousStatus: moved.previousStatus,
  changed: moved.changed,
  dataFile: { ...moved.dataFile, publishedAt: moved.dataFile.publishedAt?.toISOString() ?? null },
  script: moved.script,
  suspendedSchedules: moved.suspendedSchedules.map(presentSchedule),
  warnings: moved.warnings,
})
