import { counted } from '../words/lists.ts'
import type { Tone } from './status-words.ts'

/** How far a change has come, from the click to the last client. */
export type PropagationState =
  | { kind: 'sent' }
  /** The service has answered; clients follow. */
  | { kind: 'spreading'; has: number; of: number }
  /** `full`: more clients than are known may exist. */
  | { kind: 'complete'; of: number; tookMs: number | null; full?: boolean; silent?: number }
  /** Some clients are behind for more than 10 s. */
  | { kind: 'late'; has: number; of: number; behind: readonly Behind[]; full?: boolean; silent?: number }
  | { kind: 'nobody'; environment: string }
  /** No answer came. The state is being read. */
  | { kind: 'unsure' }

interface Behind {
  client: string
  seconds: number
}

/** What `GET …/propagation` answers, as far as it counts here. */
export interface Propagated {
  complete: boolean
  full: boolean
  instances: { confirmed: number; behind: number; silent: number }
  behind: readonly { instanceId: string | null; sdkType: string; lastSeenAt: string; since: string | null }[]
  took: { lastMs: number } | null
}

const lateAfterMs = 10_000
const maxNamed = 2

/** The state that follows from an answer, `sinceMs` after the change. */
export function propagationState(answer: Propagated, sinceMs: number, environment: string): PropagationState {
  const { confirmed, behind, silent } = answer.instances
  const of = confirmed + behind
  const known = { of, full: answer.full, silent }
  if (of === 0) return { kind: 'nobody', environment }
  if (behind === 0) return { kind: 'complete', ...known, tookMs: answer.took?.lastMs ?? null }
  if (sinceMs < lateAfterMs) return { kind: 'spreading', has: confirmed, of }
  const seconds = Math.round(sinceMs / 1000)
  const named = answer.behind.slice(0, maxNamed)
  const late = named.map(({ instanceId, sdkType }) => ({
    client: nameOf(instanceId) ?? `a client (${sdkType})`,
    seconds,
  }))
  return { kind: 'late', ...known, has: confirmed, behind: late }
}

/** What a program calls itself. The ids that the SDKs make up say nothing to people. */
const nameOf = (instanceId: string | null): string | undefined =>
  instanceId === null || /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(instanceId) ? undefined : instanceId

/** The words for a state, and their tone. */
export function propagationWords(state: PropagationState): { tone: Tone; words: string } {
  switch (state.kind) {
    case 'sent':
      return { tone: 'note', words: 'Switching…' }
    case 'spreading':
      return { tone: 'note', words: `${state.has} of ${counted(state.of, 'client')}` }
    case 'complete':
      return { tone: 'good', words: `Live in ${completely(state)}${took(state.tookMs)}${silence(state)}` }
    case 'late':
      return { tone: 'warning', words: `${state.has} of ${total(state)}: ${lateness(state)}${silence(state)}` }
    case 'nobody':
      return { tone: 'note', words: `Saved. No client is connected to ${state.environment}.` }
    case 'unsure':
      return { tone: 'warning', words: 'It may not have arrived. Reading the state…' }
  }
}

type Known = { of: number; full?: boolean; silent?: number }

const total = ({ of, full }: Known): string => `${full ? 'at least ' : ''}${of.toLocaleString('en')}`

const completely = (known: Known): string => {
  const { of, full } = known
  if (full) return `${of.toLocaleString('en')} of at least ${counted(of, 'client')}`
  return `${of.toLocaleString('en')} of ${counted(of, 'client')}`
}

const took = (ms: number | null): string => {
  if (ms === null) return ''
  return ms < 100 ? ', under 0.1 s' : `, ${(ms / 1000).toFixed(1)} s`
}

function lateness({ behind, has, of }: { behind: readonly Behind[]; has: number; of: number }): string {
  const [first] = behind
  if (!first) return `${of - has} behind`
  const others = of - has - 1
  return others > 0
    ? `${first.client} and ${counted(others, 'other')} behind for ${spanOf(first.seconds)}`
    : `${first.client} behind for ${spanOf(first.seconds)}`
}

const spanOf = (seconds: number): string =>
  seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60).toLocaleString('en')} min`

const silence = ({ silent = 0 }: Known): string => (silent > 0 ? `; ${silent} without heartbeat` : '')
