import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ConflictDialog, type FieldsInWords } from '../ui/dialog/conflict-dialog.tsx'
import { type Fields, type Merged, merge } from '../ui/form/merge.ts'
import { wasOvertaken } from '../ui/form/overtaken.ts'
import { FailureNotice } from '../ui/notice/failure-notice.tsx'
import { allOf } from '../ui/words/lists.ts'
import type { Versioned } from '../versioned.ts'

export interface MergedSaveOptions<Values extends Fields, Answer> extends Pick<FieldsInWords<Values>, 'labels'> {
  /** The words of a value; undefined for a text, a list of texts, or yes and no. */
  shown?: (field: keyof Values & string, value: unknown) => ReactNode
  base: Versioned<Values>
  /** The current version, after a 412. */
  read: () => Promise<Versioned<Values>>
  write: (values: Values, etag: string) => Promise<Answer>
  done: (answer: Answer, values: Values) => unknown
  /** Who has changed it meanwhile, if that is known. */
  who?: string | undefined
}

/**
 * Saves under the version that was read. If another person has saved meanwhile, nothing is lost: `dialog` shows what was
 * merged and asks about fields that both changed. `send` answers undefined in that case.
 */
export function useMergedSave<Values extends Fields, Answer>(options: MergedSaveOptions<Values, Answer>) {
  const { base, read, write, done, who = 'Another person', labels } = options
  const shown = (field: keyof Values & string, value: unknown) => options.shown?.(field, value) || wordsOf(value)
  const [overtaken, setOvertaken] = useState<{ merged: Merged<Values>; etag: string }>()

  const send = async (values: Values, since = base): Promise<{ answer: Answer } | undefined> => {
    try {
      return { answer: await write(values, since.etag) }
    } catch (error) {
      if (!wasOvertaken(error)) throw error
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
      merged={overtaken.merged}
      labels={labels}
      shown={shown}
      failure={<FailureNotice error={again.error} title="Not saved" />}
      onSave={(values) => again.mutate(values)}
      isSaving={again.isPending}
      onClose={() => setOvertaken(undefined)}
    />
  )
  return { send, dialog }
}

const wordsOf = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return allOf([value ?? ''].flat().map(String).filter(Boolean)) || 'none'
}
