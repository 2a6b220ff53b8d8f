import type { components } from '@svc/client'
import type { Output } from '../terminal/output.ts'

/** The option of every command that changes what visitors get. */
export const waitOption = { wait: { about: 'Wait until all connected SDKs serve it, for 30 s at most.' } } as const

const longestSeconds = 30

/** The `wait` of a call: as long as the service may, but less than the time after which the call counts as failed. */
export function waitTime(isAsked: boolean | undefined, timeoutMs: number): string | undefined {
  if (!isAsked) return undefined
  return `${Math.max(1, Math.min(longestSeconds, Math.floor(timeoutMs / 1000) - 1))}s`
}

/** Says how many SDKs serve the change. */
export function saidPropagation(found: components['schemas']['Propagation'] | null | undefined, { say }: Output): void {
  if (found === undefined) return
  if (found === null) return say('The service cannot say right now which SDKs serve it.')
  const { confirmed, behind, silent } = found.instances
  if (confirmed + behind + silent === 0) return say('No SDK is connected.')
  say(
    found.complete
      ? `All connected SDKs serve it: ${confirmed}.`
      : `SDKs that serve it: ${confirmed}. Not yet: ${behind}. See svc env status.`,
  )
}
