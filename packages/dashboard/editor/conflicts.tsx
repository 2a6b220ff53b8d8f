import { useState } from 'react'
import type { FieldConflict } from '../src/ui/form/merge.ts'
import type { Change } from './draft.ts'
import type { Held } from './held.ts'
import type { MergedDraft } from './merging.ts'
import { sentenceOf } from './sentence.ts'

type Side = 'mine' | 'theirs'

/** Asks which side of each conflict to keep. */
export function Conflicts({ editor, conflict }: Held & { conflict: MergedDraft }) {
  const [choices, setChoices] = useState<Record<string, Side>>({})
  return (
    <main className="panel">
      <h2>Two people changed the same</h2>
      <p>All other edits of both are kept. Choose what to keep of these, then save.</p>
      {conflict.conflicts.map((each) => (
        <fieldset key={each.field} className="conflict">
          <legend>{titleOf(each)}</legend>
          {(['mine', 'theirs'] as const).map((side) => (
            <label key={side} className="option">
              <input
                type="radio"
                name={each.field}
                checked={(choices[each.field] ?? 'mine') === side}
                onChange={() => setChoices({ ...choices, [each.field]: side })}
              />
              <span>
                <b>{side === 'mine' ? 'Yours' : 'Theirs'}</b> {shown(each, side)}
              </span>
            </label>
          ))}
        </fieldset>
      ))}
      <button type="button" className="primary" onClick={() => editor.resolve(choices)}>
        Keep these and save
      </button>
    </main>
  )
}

function titleOf({ field, mine, theirs }: FieldConflict): string {
  if (field === 'css') return 'CSS of the variation'
  if (field === 'order') return 'Order of the changes'
  return ((mine ?? theirs) as Change).selector
}

function shown({ field, ...sides }: FieldConflict, side: Side): string {
  const value = sides[side]
  if (field === 'order') return `${(value as string[]).length} changes in this order`
  if (field === 'css') return value === null ? 'No CSS' : String(value)
  return value === undefined ? 'Removed' : sentenceOf(value as Change)
}
