import type { ReactNode } from 'react'
import { type PropagationState, propagationWords } from './propagation-words.ts'
import { StatusDot } from './status-dot.tsx'

interface PropagationProps {
  /** From `propagationState` of an answer, or a state before any answer. */
  state: PropagationState
  /** Links the clients that are late: give a `TextLink` around the words. */
  linked?: (words: string) => ReactNode
}

/** How far a change has come: "3 of 12 clients", "Live in 12 of 12 clients, 0.4 s". Read out as it changes. */
export function Propagation({ state, linked }: PropagationProps) {
  const { tone, words } = propagationWords(state)
  return (
    <span role="status">
      <StatusDot tone={tone}>{state.kind === 'late' && linked ? linked(words) : words}</StatusDot>
    </span>
  )
}
