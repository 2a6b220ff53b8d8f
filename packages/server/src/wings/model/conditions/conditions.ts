import { type Condition, conditionIssues as issuesOf } from '@svc/core'
import { z } from 'zod'
import type { Issue } from '../../../catalogue/refusals.ts'
import { patternFault } from './pattern/fault.ts'

const description =
  'A tree of targeting conditions: `{ "all": [...] }`, `{ "any": [...] }`, `{ "not": ... }`, `{ "audience": id }`, `{ "segment": id }` or an attribute with an operator and a value. See docs/targeting.md.'
const examples = [{ all: [{ attribute: 'country', operator: 'in', value: ['NL', 'BE'] }] }]

/** Conditions as a field of a request. Invalid conditions are refused with path and rule, others stay as sent. */
export const conditionField = z
  .unknown()
  .superRefine((value, context) => {
    for (const { path, message } of conditionIssues(value)) context.addIssue({ code: 'custom', path, message })
  })
  .transform((value) => value as Condition)
  .meta({ description, examples })

/** Conditions as an OpenAPI component. `conditionIssues` does the validation. */
export const conditionSchema = z.unknown().meta({ id: 'Condition', description, examples })

/** The rules of the core, and that no pattern takes longer than linear time. */
export const conditionIssues = (condition: unknown): Issue[] => issuesOf(condition, patternFault)
