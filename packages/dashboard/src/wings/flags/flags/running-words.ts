import { type Status, type StatusValue, statusOf } from '../../../ui/status/status-words.ts'
import { counted } from '../../../ui/words/lists.ts'

const maxNames = 2

/** Where a flag runs. It is paused in one environment and runs in another, so "Running" alone would be wrong in one of them. */
export function runningWords(
  status: StatusValue<'flag'>,
  environments: readonly { name: string; enabled: boolean }[],
): Status {
  if (status !== 'RUNNING') return statusOf('flag', status)
  const names = environments.flatMap(({ name, enabled }) => (enabled ? [name] : []))
  if (names.length === environments.length) return { tone: 'good', words: 'Running everywhere' }
  const where =
    names.length <= maxNames ? names.join(' and ') : `${names.length} of ${counted(environments.length, 'environment')}`
  return { tone: 'note', words: `Running in ${where}` }
}
