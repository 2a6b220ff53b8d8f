import { z } from 'zod'

/** What this file needs to know of a registered route. */
interface Registered {
  method: string
  url: string
  body?: z.ZodType | undefined
  data: z.ZodType
}

/** Why the edit of a resource refuses a field that the resource has, by the schema of its body. */
const rules = new WeakMap<z.ZodType, (field: string) => string | undefined>()

/** The rule for fields that a body does not have, if the body is that of an edit. */
export const fixedFieldRule = (body: z.ZodType) => rules.get(body)

/**
 * Separates fields that exist but cannot be edited from unknown fields. It looks at the other routes when a field
 * is refused, because they are registered in any order. Returns the words that follow the name of the field.
 */
export function noteFixedFields(edit: Registered, routes: readonly Registered[]): void {
  if (edit.method !== 'PATCH' || !edit.body) return
  rules.set(edit.body, (field) => {
    const below = routes
      .filter(({ method, url, body }) => method === 'PUT' && url.startsWith(`${edit.url}/`) && has(body, field))
      .sort((one, other) => one.url.length - other.url.length)
    if (below[0]) return `cannot be changed here. Send PUT to ${below[0].url.slice(edit.url.length)} below this address`
    const creation = routes.find(
      ({ method, url }) => method === 'POST' && url === edit.url.slice(0, edit.url.lastIndexOf('/')),
    )
    if (has(creation?.body, field)) return 'is set by the creation and cannot be changed'
    return has(edit.data, field) ? 'is read-only' : undefined
  })
}

/** Whether an object, or one of several objects, has the field. */
function has(schema: z.core.$ZodType | undefined, field: string): boolean {
  if (schema instanceof z.ZodObject) return Object.hasOwn(schema.shape, field)
  if (schema instanceof z.ZodUnion) return schema.options.some((option) => has(option, field))
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault)
    return has(schema.unwrap() as z.core.$ZodType, field)
  return schema instanceof z.ZodPipe && has(schema.in, field)
}
