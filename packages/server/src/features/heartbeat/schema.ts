import { z } from 'zod'

const maxTextLength = 128

const textField = z
  .string()
  .min(1)
  .max(maxTextLength)
  .regex(/^[\x20-\x7e]*$/, 'Only printable ASCII.')

/** Unknown fields are let through: newer SDKs may say more. */
export const heartbeatBody = z.object({
  sdkKey: textField,
  sdkType: textField,
  sdkVersion: textField,
  instanceId: textField.optional(),
})
