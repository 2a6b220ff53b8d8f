import { z } from 'zod'
import { capabilities } from '../../../catalogue/scopes.ts'
import { descriptionField, idField, nameField, timeField } from '../../../fields.ts'

const capabilitiesField = z.enum(capabilities).array().max(capabilities.length)

export const roleSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    builtIn: z.boolean().meta({ description: 'Built-in roles cannot be changed.' }),
    capabilities: capabilitiesField,
    scopes: z.string().array().meta({ description: 'The scopes of members with this role, sorted.' }),
    memberCount: z.int(),
    createdAt: timeField,
    updatedAt: timeField,
  })
  .meta({ id: 'Role' })

/** A role as it appears in other resources. */
export const roleNameSchema = z.object({ id: z.string(), name: z.string() })

export const roleParams = { roleId: idField }

export const createRoleBody = z.strictObject({
  name: nameField,
  description: descriptionField.default(null),
  capabilities: capabilitiesField,
})

export const updateRoleBody = z
  .strictObject({
    name: nameField.optional(),
    description: descriptionField.optional(),
    capabilities: capabilitiesField.optional(),
  })
  .meta({ example: { capabilities: ['view_reports'] } })

export const capabilitySchema = z
  .object({
    capability: z.enum(capabilities),
    text: z.string(),
    scopes: z.string().array(),
  })
  .meta({ id: 'Capability' })
