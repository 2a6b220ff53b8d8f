import { ApiError, type Data } from '@svc/client'
import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { api } from '../../../api.ts'
import { onlyOnce, randomKey } from '../../../idempotency.ts'
import type { SwitchAction } from '../../../ui/status/live-switch.tsx'
import { type PropagationState, propagationState } from '../../../ui/status/propagation-words.ts'
import { refreshFlag } from '../flags/flag-queries.ts'

/** The switch of a flag in an environment, or of one of its rules. */
export interface Target {
  projectId: string
  flagKey: string
  environment: { id: string; name: string }
  ruleId?: string
}

export type SwitchAnswer = Data<'/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/run', 'post'>

/** What the page shows of a switch that was used a moment ago. */
export interface Switching {
  isPending: boolean
  /** The state to show, before the page has read it again. */
  isRunning?: boolean
  /** How far the change has come. */
  spread?: PropagationState
  /** Why the last action failed. The switch has gone back. Unsure: without an answer, the state could not be read. */
  failure?: { error: ApiError; action: SwitchAction; isUnsure: boolean; again: () => void }
}

const idle: Switching = { isPending: false }
const current = new Map<string, Switching>()
const listeners = new Set<() => void>()

/** Every page that shows a switch sees the same state of it, and a row of a list can be scrolled away meanwhile. */
export function useSwitching(target: Target): Switching {
  const key = keyOf(target)
  return useSyncExternalStore(subscribe, () => current.get(key) ?? idle)
}

export const keyOf = ({ environment, flagKey, ruleId = '' }: Target): string => `${environment.id} ${flagKey} ${ruleId}`

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function set(target: Target, next: Switching | undefined): void {
  if (next) current.set(keyOf(target), next)
  else current.delete(keyOf(target))
  for (const listener of listeners) listener()
}

/** Forgets a refusal, when the person has read it or acts again. */
export const forget = (target: Target): void => set(target, undefined)

const shownMs = 10_000
const followedMs = 60_000

/** The latest call about each switch: the next one goes out when it is over. */
const calls = new Map<string, Promise<unknown>>()

/**
 * Runs or pauses. The switch moves at once. If no answer comes, the state is read: the change can have arrived. `again`
 * of a failure repeats the call under the same idempotency key. Resolves with the answer, or undefined after a failure.
 * A person who changes their mind need not wait for the answer: what is shown is about the last call.
 */
export async function switchTo(
  client: QueryClient,
  target: Target,
  action: SwitchAction,
  idempotencyKey: string = randomKey(),
): Promise<SwitchAnswer | undefined> {
  const key = keyOf(target)
  const isRunning = action === 'run'
  // The action before this one is no longer followed: its clients would be reported as those of this one.
  latest.delete(key)
  set(target, { isPending: true, isRunning, spread: { kind: 'sent' } })
  const call = Promise.resolve(calls.get(key)).then(() => send(target, action, idempotencyKey))
  const over = call.catch(() => undefined)
  calls.set(key, over)
  const isLast = () => calls.get(key) === over
  const show = (next: Switching | undefined) => isLast() && set(target, next)
  try {
    const answer = await call
    show({ isPending: false, isRunning, spread: { kind: 'sent' } })
    await refreshFlag(client)
    if (isLast()) void follow(target, answer.dataFile.revision)
    return answer
  } catch (thrown) {
    const error = thrown instanceof ApiError ? thrown : undefined
    if (!error) throw thrown
    const again = () => void switchTo(client, target, action, idempotencyKey)
    let isUnsure = false
    if (error.status === 0 || error.status >= 500) {
      show({ isPending: true, isRunning, spread: { kind: 'unsure' } })
      const state = await stateOf(target)
      isUnsure = state === undefined
      await refreshFlag(client)
      if (state === isRunning) {
        show(undefined)
        return undefined
      }
    }
    show({ isPending: false, failure: { error, action, isUnsure, again } })
    return undefined
  }
}

const pathOf = ({ projectId, flagKey, environment }: Target) => ({
  projectId,
  flagId: flagKey,
  envId: environment.id,
})

async function send(target: Target, action: SwitchAction, idempotencyKey: string): Promise<SwitchAnswer> {
  const header = onlyOnce(idempotencyKey)
  const path = pathOf(target)
  const { ruleId } = target
  if (ruleId === undefined) {
    const at = `/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/${action}` as const
    return (await api.POST(at, { params: { path, header } })).data!.data
  }
  const at = `/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/rules/{ruleId}/${action}` as const
  return (await api.POST(at, { params: { path: { ...path, ruleId }, header } })).data!.data
}

/** Whether the switch is on; undefined if that cannot be read either. */
async function stateOf(target: Target): Promise<boolean | undefined> {
  const path = pathOf(target)
  const { ruleId } = target
  try {
    if (ruleId === undefined) {
      const at = '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}'
      return (await api.GET(at, { params: { path } })).data!.data.enabled
    }
    const at = '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/rules/{ruleId}'
    return (await api.GET(at, { params: { path: { ...path, ruleId } } })).data!.data.enabled
  } catch {
    return undefined
  }
}

/** Asks how far the revision has come, after a quarter, a half, 1, 2 … s, for at most a minute and only while the page is visible. */
async function follow(target: Target, revision: number): Promise<void> {
  const from = Date.now()
  const isLatest = () => current.get(keyOf(target))?.spread !== undefined && latest.get(keyOf(target)) === from
  latest.set(keyOf(target), from)
  for (let pause = 250; Date.now() - from < followedMs && isLatest(); pause = Math.min(pause * 2, 8_000)) {
    await wait(pause)
    if (document.visibilityState !== 'visible') continue
    const answer = await propagation(target, revision)
    if (!answer || !isLatest()) break
    const spread = propagationState(answer, Date.now() - from, target.environment.name)
    set(target, { isPending: false, spread })
    if (spread.kind === 'complete' || spread.kind === 'nobody') {
      await wait(shownMs)
      break
    }
  }
  if (isLatest()) set(target, undefined)
}

/** When the latest change of each switch was made: an earlier one is no longer followed. */
const latest = new Map<string, number>()

async function propagation({ projectId, environment }: Target, revision: number) {
  const path = { projectId, envId: environment.id }
  try {
    const at = '/api/v1/projects/{projectId}/environments/{envId}/propagation'
    return (await api.GET(at, { params: { path, query: { revision } } })).data!.data
  } catch {
    return undefined
  }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
