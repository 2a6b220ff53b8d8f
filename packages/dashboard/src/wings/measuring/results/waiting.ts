import type { Tone } from '../../../ui/status/status-words.ts'
import type { Connection } from '../../flags/environments/connection.ts'
import type { Results } from './figures.ts'

interface WaitingCheck {
  tone: Tone
  words: string
}

/** Why a test that has started can be without visitors: what is known of each step on the way to a count. */
export function waitingChecks(
  { startedAt, dataThrough, units: { excluded } }: Pick<Results, 'startedAt' | 'dataThrough' | 'units'>,
  connection: Connection,
  place: string,
): WaitingCheck[] {
  if (startedAt === null) return []
  const isConnected = connection === 'CONNECTED'
  const hasExposures = Object.values(excluded).some((visitors) => visitors > 0)
  return [
    {
      tone: isConnected ? 'good' : 'warning',
      words: isConnected
        ? `A client is connected to ${place}.`
        : `${connection === 'NEVER' ? 'No client has ever been' : 'No client is'} connected to ${place}.`,
    },
    { tone: hasExposures ? 'good' : 'note', words: exposureWords(hasExposures, dataThrough !== null) },
    { tone: 'note', words: 'A visitor counts only if the audience and the share of the test let them in.' },
  ]
}

function exposureWords(hasExposures: boolean, isComputed: boolean): string {
  if (hasExposures) return 'Exposures arrive, but only from visitors who do not count.'
  return isComputed
    ? 'No exposure had arrived when this was computed.'
    : 'Refresh to see whether exposures have arrived.'
}
