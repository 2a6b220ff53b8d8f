import type { z } from 'zod'
import type { Issue } from '../catalogue/refusals.ts'
import { brokenRules } from '../platform/issue-text.ts'
import { fixedFieldRule } from './fixed-fields.ts'

/** All that is wrong with a part of a request, as the answer names it. */
export function issuesOf(
  error: z.ZodError,
  data: unknown,
  { httpPart, schema }: { httpPart?: string | undefined; schema: unknown },
): [Issue, ...Issue[]] {
  const kind = httpPart === 'querystring' ? 'query parameter' : 'field'
  const unknownRule = fixedFieldRule(schema as z.ZodType)
  return brokenRules(error.issues, { document: data ?? undefined, kind, unknownRule }) as [Issue, ...Issue[]]
}
