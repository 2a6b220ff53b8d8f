import { ApiError } from '@svc/client'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Versioned } from '../versioned.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { FailureNotice } from './failure-notice.tsx'
import { type Fields, type Merged, merge, resolved } from './merge.ts'

export interface MergedSaveOptions<Values extends Fields, Answer> {
  base: Versioned<Values>
  /** The current version, after a 412. */
  read: () => Promise<Versioned<Values>>
  write: (values: Values, etag: string) => Promise<Answer>
  done: (answer: Answer, values: Values) => unknown
  /** Who has changed it meanwhile, if that is known. */
  who?: string | undefined
  labels: { [Field in keyof Values]: string }
  shown?: (field: string, value: unknown) => ReactNode
}

/**
 * Saves under the version that was read. If another person has saved meanwhile, nothing is lost: `dialog` shows what was
 * merged and asks about fields that both changed. `send` answers undefined in that case.
 */
export function useMergedSave<Values extends Fields, Answer>(options: MergedSaveOptions<Values, Answer>) {
  const { base, read, write, done, who = 'Another person', labels } = options
  const shown = options.shown ?? ((_field, value) => String(value ?? ''))
  const [overtaken, setOvertaken] = useState<{ merged: Merged<Values>; etag: string }>()

  const send = async (values: Values, since = base): Promise<{ answer: Answer } | undefined> => {
    try {
      return { answer: await write(values, since.etag) }
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'precondition_failed') throw error
      const current = await read()
      const merged = merge(since.content, values, current.content)
      const isUntouched = JSON.stringify(merged.values) === JSON.stringify(values)
      // Something else of the same object has changed, for example its switch.
      if (isUntouched && merged.conflicts.length === 0 && merged.theirs.length === 0)
        return { answer: await write(values, current.etag) }
      setOvertaken({ merged, etag: current.etag })
      return undefined
    }
  }
  const again = useMutation({
    mutationFn: (values: Values) => write(values, overtaken!.etag),
    onSuccess: (answer, values) => {
      setOvertaken(undefined)
      return done(answer, values)
    },
  })
  const dialog = overtaken && (
    <ConflictDialog
      key={overtaken.etag}
      who={who}
      conflicts={overtaken.merged.conflicts.map(({ field, mine, theirs }) => ({
        field,
        label: labels[field] ?? field,
        mine: shown(field, mine),
        theirs: shown(field, theirs),
      }))}
      theirs={overtaken.merged.theirs.map((field) => labels[field] ?? field)}
      result={() => <FailureNotice error={again.error} title="Not saved" />}
      onSave={(choices) => again.mutate(resolved(overtaken.merged, choices))}
      isSaving={again.isPending}
      onClose={() => setOvertaken(undefined)}
    />
  )
  return { send, dialog }
}
