import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { api } from '../../../api.ts'
import { onlyOnce } from '../../../idempotency.ts'
import { type ChangedBy, useChangedBy } from '../../../shell/live.tsx'
import { changeSubject, changeText, type WebChange } from '../../../ui/changes/web-change-sentence.ts'
import { ConflictDialog } from '../../../ui/dialog/conflict-dialog.tsx'
import type { Fields } from '../../../ui/form/merge.ts'
import { changeOfField, type MergedSet, mergeSets } from '../../../ui/form/merge-set.ts'
import { wasOvertaken } from '../../../ui/form/overtaken.ts'
import { allOf, counted } from '../../../ui/words/lists.ts'
import { onlyIf, refresh, type Versioned, versioned } from '../../../versioned.ts'
import { listPath, onePath } from '../experiments/experiment.ts'
import { anybody } from '../experiments/overtaken.ts'
import {
  type ChangeSet,
  changesPath,
  handOffPath,
  keyOfChanges,
  type Page,
  pageName,
  readChanges,
  type VariationPath,
} from './change-set.ts'

const stagedPath = '/api/v1/projects/{projectId}/environments/{envId}/staged'
/** So many others would have to save between our read and our write. */
const maxTries = 5

interface Wanted {
  /** What the edit began with. */
  base: ChangeSet
  mine: ChangeSet
}

export interface Saved {
  set: ChangeSet
  /** Whose edits came in, in a sentence; undefined if nobody has saved meanwhile. */
  news: string | undefined
}

interface Late {
  /** The edit was found when the save was refused, not before. */
  isLate: boolean
  /** The latest change by others that the page knew when the save began. */
  before: ChangedBy | undefined
}

/** Who made the edit that came in. The page can hear of a late one after the answer to the save. */
const nameOf = (mark: ChangedBy | undefined, { isLate, before }: Late): string =>
  (isLate && mark === before ? undefined : mark?.name) ?? anybody

interface Question extends Late {
  merged: MergedSet<WebChange>
  /** Goes on with these values; without, the save is given up and the form keeps what is typed. */
  answer: (values?: Fields) => void
}

/**
 * Saves the changes of a variation. If another person has saved meanwhile, both edits are merged by change and saved again
 * without a question. Where both changed the same, a dialog shows both sides; render it on the page.
 */
export function useSaveSet(path: VariationPath, experimentId: string, pages: readonly Page[]) {
  const client = useQueryClient()
  const mark = useChangedBy('experiment', experimentId)
  const latest = useRef(mark)
  latest.current = mark
  const [question, setQuestion] = useState<Question>()
  const asking = (before: ChangedBy | undefined) => (merged: MergedSet<WebChange>, isLate: boolean) =>
    new Promise<Fields | undefined>((resolve) =>
      setQuestion({
        ...{ merged, isLate, before },
        answer: (values) => {
          setQuestion(undefined)
          resolve(values)
        },
      }),
    )
  /** Undefined if the person went back from the question. */
  const save = async (wanted: Wanted): Promise<Saved | undefined> => {
    const known = client.getQueryData<Versioned<ChangeSet>>(keyOfChanges(path)) ?? (await readChanges(path))
    const before = latest.current
    const saved = await saveMerged(path, known, wanted, asking(before))
    if (!saved) return undefined
    client.setQueryData(keyOfChanges(path), saved.version)
    await refresh(client, onePath, listPath, handOffPath, stagedPath)
    return {
      ...saved,
      set: saved.version.content,
      news: newsOf(saved.theirs, nameOf(latest.current, { isLate: saved.isLate, before })),
    }
  }
  return { save, dialog: question && <Sides question={question} who={nameOf(mark, question)} pages={pages} /> }
}

interface SavedSet {
  version: Versioned<ChangeSet>
  /** What only others changed. */
  theirs: readonly string[]
  /** They are from after the first try. */
  isLate: boolean
}

async function saveMerged(
  path: VariationPath,
  known: Versioned<ChangeSet>,
  { base, mine }: Wanted,
  ask: (merged: MergedSet<WebChange>, isLate: boolean) => Promise<Fields | undefined>,
): Promise<SavedSet | undefined> {
  let latest = known
  const theirs = new Set<string>()
  let [was, wanted] = [base, mine]
  for (let tries = 1; ; tries += 1) {
    const merged = mergeSets(was, wanted, latest.content)
    for (const field of merged.theirs) theirs.add(labelOf(field, merged.values[field], was))
    const values = merged.conflicts.length === 0 ? merged.values : await ask(merged, tries > 1)
    if (!values) return undefined
    ;[was, wanted] = [latest.content, merged.setOf(values)]
    try {
      const params = { path, header: { ...onlyOnce(), ...onlyIf(latest.etag) } }
      const { content, etag } = versioned(await api.PUT(changesPath, { params, body: wanted as never }))
      const { changes, css } = content
      const version = { content: { changes, css }, etag }
      return { version, theirs: [...theirs], isLate: tries > 1 }
    } catch (error) {
      if (!wasOvertaken(error) || tries === maxTries) throw error
      latest = await readChanges(path)
    }
  }
}

/** Saves without a page, as an Undo: where both changed the same, the older value comes back. */
export const putBack = (path: VariationPath, wanted: Wanted): Promise<unknown> =>
  readChanges(path).then((known) => saveMerged(path, known, wanted, ({ values }) => Promise.resolve(values)))

const newsOf = (theirs: readonly string[], who: string): string | undefined =>
  theirs.length === 0 ? undefined : `What ${who} changed meanwhile is kept: ${allOf(theirs, 3)}.`

/** What a field is about. A deleted change is known from what it was. */
function labelOf(field: string, value: unknown, was: ChangeSet): string {
  const id = changeOfField(field)
  if (id === undefined) return field === 'css' ? 'the CSS' : 'the order'
  const change = (value as WebChange | undefined) ?? was.changes.find((each) => each.id === id)
  return change ? changeSubject(change) : id
}

function Sides({
  question: { merged, answer },
  who,
  pages,
}: {
  question: Question
  who: string
  pages: readonly Page[]
}) {
  const all = (field: string) =>
    merged.conflicts.flatMap((conflict) => (conflict.field === field ? [conflict.mine, conflict.theirs] : []))
  const named = Object.fromEntries(
    [...new Set([...merged.changed, ...merged.conflicts.map(({ field }) => field)])].map((field) => {
      const value = all(field).find((each) => each !== undefined) ?? merged.values[field]
      const label = labelOf(field, value, { changes: [], css: null })
      return [field, `${label.charAt(0).toUpperCase()}${label.slice(1)}`]
    }),
  )
  return (
    <ConflictDialog<Fields>
      who={who}
      merged={merged}
      labels={named}
      shown={(_field, value) => sideOf(value, pages)}
      onSave={answer}
      onClose={() => answer()}
    />
  )
}

function sideOf(value: unknown, pages: readonly Page[]): ReactNode {
  if (value === undefined) return 'deleted'
  if (value === null) return 'none'
  if (Array.isArray(value)) return counted(value.length, 'change')
  if (typeof value === 'string') return <code>{value.length > maxShown ? `${value.slice(0, maxShown)}…` : value}</code>
  const change = value as WebChange
  return changeText(change, pageName(change.page, pages))
}

const maxShown = 500
