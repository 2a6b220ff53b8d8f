import { z } from 'zod'

/** A rule that names something, in its draft or live version. A web experiment is named in place of its rule. */
export type RuleUse =
  | { type: 'rule'; id: string; flagId: string; envId: string }
  | { type: 'experiment'; id: string; envId: string }

export const ruleUseSchema = z.union([
  z.object({ type: z.literal('rule'), id: z.string(), flagId: z.string(), envId: z.string() }),
  z.object({ type: z.literal('experiment'), id: z.string(), envId: z.string() }),
])

/** `experimentId`: of the web experiment, whose flag is hidden; null for a rule of a flag that people see. */
export const useOf = ({
  ruleId,
  flagId,
  envId,
  experimentId,
}: {
  ruleId: string
  flagId: string
  envId: string
  experimentId: string | null
}): RuleUse =>
  experimentId === null ? { type: 'rule', id: ruleId, flagId, envId } : { type: 'experiment', id: experimentId, envId }
