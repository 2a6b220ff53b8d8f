import { ApiError } from '@svc/client'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ConflictDialog } from '../../../ui/conflict-dialog.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { type Fields, type Merged, merge, resolved } from '../../../ui/merge.ts'
import type { Versioned } from '../../../versioned.ts'

interface MergedSaveOptions<Values extends Fields> {
  base: Versioned<Values>
  read: () => Promise<Versioned<Values>>
  write: (values: Values, etag: string) => Promise<unknown>
  done: (values: Values) => unknown
  /** Who has changed it meanwhile, if that is known. */
  who: string | undefined
  labels: { [Field in keyof Values]: string }
  shown?: (field: string, value: unknown) => ReactNode
}

/**
 * Saves under the version that was read. If another person has saved meanwhile, nothing is lost: `dialog` shows what was
 * merged and asks about fields that both changed. `send` answers false in that case.
 */
export function useMergedSave<Values extends Fields>(options: MergedSaveOptions<Values>) {
  const { base, read, write, done, who = 'Another person', labels } = options
  const shown = options.shown ?? ((_field, value) => String(value ?? ''))
  const [overtaken, setOvertaken] = useState<{ merged: Merged<Values>; etag: string }>()

  const send = async (values: Values, since = base): Promise<boolean> => {
    try {
      await write(values, since.etag)
      return true
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'precondition_failed') throw error
      const current = await read()
      setOvertaken({ merged: merge(since.content, values, current.content), etag: current.etag })
      return false
    }
  }
  const again = useMutation({
    mutationFn: async (values: Values) => {
      await write(values, overtaken!.etag)
      return values
    },
    onSuccess: (values) => {
      setOvertaken(undefined)
      return done(values)
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
