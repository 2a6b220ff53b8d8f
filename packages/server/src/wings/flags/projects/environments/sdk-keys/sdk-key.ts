import { type Refusal, refuse } from '../../../../../catalogue/refusals.ts'

/** One that clients use, and one that they move to. */
export const maxSdkKeys = 2

export function refusesAnother(environment: string, count: number): Refusal | undefined {
  if (count < maxSdkKeys) return undefined
  const message = `${environment} has ${count} SDK keys, which is the maximum. Revoke one of them first.`
  return refuse('invalid_state', message, { current: count })
}

export function refusesRevocation(environment: string, count: number): Refusal | undefined {
  if (count > 1) return undefined
  const message = `This is the only SDK key of ${environment}. Create a second one, move your clients to it, and then revoke this one.`
  return refuse('invalid_state', message, { current: count })
}
