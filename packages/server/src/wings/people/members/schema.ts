import { z } from 'zod'
import { idField, shownOnce, timeField } from '../../../fields.ts'
import { roleNameSchema } from '../roles/index.ts'
import { maxChosenProjects } from './member.ts'

const projectIdsText = 'The projects that the member can see. Null: all projects.'

export const memberSchema = z
  .object({
    userId: z.string(),
    name: z.string(),
    email: z.string(),
    role: roleNameSchema,
    projectIds: z.string().array().nullable().meta({ description: projectIdsText }),
    secondFactor: z.boolean().meta({ description: 'Whether the account has a second factor.' }),
    lastSeenAt: timeField.nullable().meta({ description: 'Last use of the dashboard or a personal token.' }),
    createdAt: timeField.meta({ description: 'When the person became a member.' }),
  })
  .meta({ id: 'Member' })

export const memberParams = { userId: idField }

const projectIdsField = idField.array().max(maxChosenProjects).nullable().meta({ description: projectIdsText })

export const updateMemberBody = z.strictObject({
  roleId: idField.optional(),
  projectIds: projectIdsField.optional(),
})

export const invitationSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    role: roleNameSchema,
    projectIds: z.string().array().nullable().meta({ description: projectIdsText }),
    invitedBy: z.string(),
    createdAt: timeField,
    expiresAt: timeField,
    expired: z.boolean(),
  })
  .meta({ id: 'Invitation' })

export const sentInvitationSchema = invitationSchema
  .extend({
    link: shownOnce(z.url(), 'The link to pass on, shown only once. Null if the service sent it by mail.'),
  })
  .meta({ id: 'SentInvitation' })

export const invitationParams = { invitationId: idField }

const maxEmailLength = 254

export const createInvitationBody = z.strictObject({
  email: z.email('Must be an e-mail address.').max(maxEmailLength).toLowerCase(),
  roleId: idField,
  projectIds: projectIdsField.default(null),
})

export const resetLinkSchema = z.object({ link: shownOnce(z.url()), expiresAt: timeField }).meta({ id: 'ResetLink' })
