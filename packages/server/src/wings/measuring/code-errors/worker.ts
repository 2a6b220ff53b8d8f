import { type Recurring, recurring } from '../../../platform/recurring.ts'
import type { Sweep } from '../../../platform/retention/index.ts'
import { writeBehind } from '../../../platform/write-behind.ts'
import type { DataFileStore } from '../../serving/datafile/index.ts'
import type { EventFault, ToldError } from '../events/index.ts'
import { type Judging, judgeErrors, saveErrors } from './actions.ts'
import { servedTests } from './arms.ts'
import { type CodeError, type ErrorNote, excerptOf, fingerprintOf, hashOfUnit } from './error.ts'
import { deleteOldErrors, deleteOldEvents, deleteOldVisitors } from './queries.ts'

const judgeEveryMs = 30_000
const sweepEveryMs = 3_600_000
const dayMs = 86_400_000
const keptForMs = 30 * dayMs
/** What a node keeps until it is written, 2 seconds later: different errors, and all together. */
const mostWaiting = 500
const mostWaitingTimes = 10_000

export interface CodeErrors extends Recurring {
  /** Notes an error that counts. Otherwise, says why it does not. */
  take(error: ToldError): EventFault | undefined
  /** Writes what was noted, and judges it. */
  flush(): Promise<void>
  /** Judges all errors that were not reported, also those that a node had written before it ended. */
  judge(): Promise<void>
}

/** Counts the errors of the code of variations, reports them, and pauses experiments. */
export function codeErrors(
  context: Judging & { dataFiles: Pick<DataFileStore, 'held'> },
  onError: (error: unknown) => void,
): CodeErrors {
  const { db, now, dataFiles } = context
  const testsOf = servedTests()
  const waiting = new Set<string>()
  let waitingTimes = 0
  const notes = writeBehind<ErrorNote>(
    async (saving) => {
      const ids = await saveErrors(db, saving, now())
      for (const note of saving) {
        waiting.delete(subjectOf(note))
        waitingTimes -= note.times
      }
      // A failure is found again by the next look at all.
      await judgeErrors(context, ids).catch(onError)
    },
    onError,
    joinNotes,
  )
  const judge = () => judgeErrors(context)
  const looking = recurring(judge, judgeEveryMs, onError)
  return {
    take(error) {
      const file = dataFiles.held(error.envId)
      const test = file && testsOf(file).get(error.ruleName)
      const code = test?.codes.get(error.variationKey)
      if (!code || (error.codeVersion !== null && error.codeVersion !== code.version)) return oldCode
      if (!test?.gives(error.unit, error.variationKey)) return otherVariation
      if (error.isBot) return undefined
      const found = errorOf(error, code)
      const note = {
        ...found,
        fingerprint: fingerprintOf(found),
        times: 1,
        events: new Set([error.id]),
        visitors: new Set([hashOfUnit(error.unit)]),
      }
      const subject = subjectOf(note)
      const isFull = waitingTimes >= mostWaitingTimes || (waiting.size >= mostWaiting && !waiting.has(subject))
      if (isFull) return undefined
      waiting.add(subject)
      waitingTimes += 1
      notes.note(subject, note)
      return undefined
    },
    flush: notes.flush,
    judge,
    start: looking.start,
    async stop() {
      await notes.stop()
      await looking.stop()
    },
  }
}

const subjectOf = ({ ruleId, fingerprint }: ErrorNote): string => `${ruleId} ${fingerprint}`

function errorOf(error: ToldError, { js, version }: { js: string; version: string }): CodeError {
  const { envId, ruleId, variationId, variationKey, message, line } = error
  const excerpt = excerptOf(js, line)
  return {
    ...{ envId, ruleId, variationId, variationKey, codeVersion: version, message, excerpt },
    line: excerpt === null ? null : line,
  }
}

function joinNotes(earlier: ErrorNote, later: ErrorNote): ErrorNote {
  for (const visitor of later.visitors) earlier.visitors.add(visitor)
  for (const event of later.events) earlier.events.add(event)
  earlier.times += later.times
  return earlier
}

const oldCode: EventFault = {
  code: 'other_variation',
  message: 'No code of this version is served for this variation, so the error does not count.',
}

const otherVariation: EventFault = {
  code: 'other_variation',
  message: 'The data file gives the unit a different variation, so the error does not count.',
}

export const codeErrorSweeps: readonly Sweep[] = [
  { name: 'code_error_events', everyMs: sweepEveryMs, keepForMs: dayMs, sweep: deleteOldEvents },
  { name: 'code_error_visitors', everyMs: sweepEveryMs, keepForMs: keptForMs, sweep: deleteOldVisitors },
  { name: 'code_errors', everyMs: sweepEveryMs, keepForMs: keptForMs, sweep: deleteOldErrors },
]
