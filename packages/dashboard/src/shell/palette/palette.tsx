import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useAllProjects } from '../all-projects.ts'
import { useProjectNumber } from '../frame/level.ts'
import { Overlay } from '../keyboard/overlay.tsx'
import { Strokes } from '../keyboard/strokes.tsx'
import { useOrganization } from '../session.ts'
import { type Entry, useEntries } from './entries.ts'
import { kindIcon } from './kind-icons.ts'
import classes from './palette.module.css'
import { grouped, offered } from './rank.ts'
import { noteChosen, recentEntries } from './recent.ts'

/** Finds flags, pages and actions as a person types, and opens them. */
export function Palette({ close }: { close: () => void }) {
  const organizationId = useOrganization()?.id ?? 'none'
  const number = useProjectNumber()
  const isWeb = useAllProjects().data?.find(({ shortId }) => shortId === number)?.type === 'WEB'
  const [typed, setTyped] = useState('')
  const query = useDeferredValue(typed)
  const entries = useEntries(query)
  const recent = useMemo(() => recentEntries(organizationId), [organizationId])
  const groups = useMemo(() => grouped(offered(entries, query, recent), query, recent), [entries, query, recent])
  const shown = useMemo(() => groups.flatMap(({ entries }) => entries.map(({ entry }) => entry)), [groups])
  const run = (entry: Entry | undefined) => {
    if (!entry) return
    noteChosen(organizationId, entry.id)
    close()
    entry.act()
  }
  const { chosen, setChosen, list, onKeyDown } = useChoice(shown, query === typed, run)

  return (
    <Overlay label="Search" close={close}>
      <div className={classes.field}>
        <IconSearch size={20} stroke={1.75} aria-hidden />
        <input
          className={classes.input}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setChosen(0)
          }}
          onKeyDown={onKeyDown}
          role="combobox"
          aria-expanded
          aria-controls="palette-list"
          aria-activedescendant={shown.length > 0 ? `palette-${chosen}` : undefined}
          aria-autocomplete="list"
          aria-label={`Search ${isWeb ? 'experiments' : 'flags'}, pages and actions`}
          placeholder="Search, or > for actions"
          autoComplete="off"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: a person opened the palette to type
          autoFocus
        />
      </div>
      <div id="palette-list" ref={list} className={classes.list} role="listbox" aria-label="Results">
        {groups.map(({ heading = 'Matches', entries }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options is no fieldset
          <div key={heading} role="group" aria-label={heading}>
            {groups.length > 1 && (
              <div className={classes.heading} aria-hidden>
                {heading}
              </div>
            )}
            {entries.map(({ entry, place }) => (
              <Option key={entry.id} {...{ entry, place }} isChosen={place === chosen} run={run} choose={setChosen} />
            ))}
          </div>
        ))}
      </div>
      <p className={classes.none} role="status">
        {shown.length === 0 && 'Nothing found. Names, keys, tags, numbers and ids can be searched.'}
      </p>
    </Overlay>
  )
}

interface OptionProps {
  entry: Entry
  place: number
  isChosen: boolean
  run: (entry: Entry) => void
  choose: (place: number) => void
}

function Option({ entry, place, isChosen, run, choose }: OptionProps) {
  const Icon = kindIcon(entry.kind)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and takes the keys
    <div
      id={`palette-${place}`}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className={classes.entry}
      onClick={() => run(entry)}
      onPointerMove={() => choose(place)}
    >
      <Icon size={18} aria-hidden className={classes.icon} />
      <span className={classes.label}>{entry.label}</span>
      {entry.detail !== undefined && <code className={classes.detail}>{entry.detail}</code>}
      <span className={classes.kind}>{entry.kind}</span>
      {entry.stroke && <Strokes stroke={entry.stroke} />}
    </div>
  )
}

/**
 * The entry that Enter opens. The field keeps the focus, and its keys move the choice.
 *
 * @param isCurrent whether the entries are those of what is typed. Until they are, Enter waits: who types fast would open
 *   an entry of before
 */
function useChoice(shown: readonly Entry[], isCurrent: boolean, run: (entry: Entry | undefined) => void) {
  const [chosen, setChosen] = useState(0)
  const [isEntered, setIsEntered] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const move = (to: number) => {
    const place = Math.max(0, Math.min(to, shown.length - 1))
    setChosen(place)
    list.current?.querySelector(`#palette-${place}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: chosen + 1, ArrowUp: chosen - 1, PageDown: chosen + 8, PageUp: chosen - 8 }[event.key]
    if (to === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (to !== undefined) move(to)
    else if (isCurrent) run(shown[chosen])
    else setIsEntered(true)
  }
  useEffect(() => {
    if (!isEntered || !isCurrent) return
    setIsEntered(false)
    run(shown[chosen])
  })
  return { chosen, setChosen, list, onKeyDown }
}
