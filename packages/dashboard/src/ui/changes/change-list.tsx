import { Button } from '@mantine/core'
import { useState } from 'react'
import { JsonView } from '../code/json-view.tsx'
import { ButtonFor } from '../layout/button-for.tsx'
import { StatusBadge } from '../status/status-badge.tsx'
import { Time } from '../time/time.tsx'
import classes from './change-list.module.css'
import { type Change, type ChangeNames, type ChangeWords, changeWords, sentenceOf } from './change-words.ts'
import { Changed } from './changing.tsx'

export interface ListedChange extends Change {
  /** Who, if that is on record. */
  by?: { name: string } | null
  at?: string | null
}

interface ChangeListProps<Listed extends ListedChange> {
  /** What has changed: "One-page checkout". Screen readers get it. */
  label: string
  changes: readonly Listed[]
  names?: ChangeNames
  /** The words for a change. Default: those for flags, rules and audiences. */
  wordsOf?: (change: Listed) => ChangeWords
  /** The changes are live: an old revision, an entry of the audit log. The new value is not violet then. */
  isPublished?: boolean
  /** Discards one change. Without it, no change can be undone here. */
  onUndo?: (change: Listed) => void
  /** What else an Undo would do: "also in Staging". */
  undoNote?: (change: Listed) => string | undefined
  /** Paths of changes that came since the list was opened. */
  fresh?: ReadonlySet<string>
}

/** A difference in sentences: live → new, who, when, and Undo for each. The same as JSON on request. */
export function ChangeList<Listed extends ListedChange>({
  label,
  changes,
  names = {},
  wordsOf = (change) => changeWords(change, names),
  isPublished,
  onUndo,
  undoNote,
  fresh,
}: ChangeListProps<Listed>) {
  const [isJson, setIsJson] = useState(false)
  return (
    <div className={classes.frame}>
      {isJson ? (
        <JsonView
          label={label}
          value={changes.map(({ path, from, to, by, at }) => ({
            path,
            from,
            to,
            ...(by && { by }),
            ...(at && { at }),
          }))}
        />
      ) : (
        <ul className={classes.list} aria-label={label}>
          {changes.map((change) => (
            <li key={change.path} className={classes.change} data-fresh={fresh?.has(change.path) || undefined}>
              <span className={classes.words}>
                {fresh?.has(change.path) && <StatusBadge tone="warning">Since you opened this</StatusBadge>}
                <span className={classes.values}>
                  <Changed words={wordsOf(change)} isPublished={isPublished} />
                </span>
              </span>
              {(change.by || change.at) && (
                <span className={classes.by}>
                  {change.by && `by ${change.by.name}`}
                  {change.at && (
                    <>
                      {change.by && ', '}
                      <Time time={change.at} />
                    </>
                  )}
                </span>
              )}
              {onUndo && (
                <ButtonFor
                  label={undoNote?.(change) ? `Undo (${undoNote(change)})` : 'Undo'}
                  what={sentenceOf(wordsOf(change))}
                  variant="default"
                  size="compact-sm"
                  onClick={() => onUndo(change)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <div className={classes.bar}>
        <Button variant="subtle" size="compact-xs" aria-pressed={isJson} onClick={() => setIsJson(!isJson)}>
          JSON
        </Button>
      </div>
    </div>
  )
}
