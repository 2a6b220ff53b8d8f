import { IconArrowDown, IconArrowUp, IconCrosshair, IconTrash } from '@tabler/icons-react'
import { flushSync } from 'react-dom'
import { type Change, reordered, withFields, withoutChange } from './draft.ts'
import { Area, IconButton } from './fields.tsx'
import type { Held } from './held.ts'
import { sentenceOf } from './sentence.ts'

/** Everything that the variation changes, as sentences, with what is wrong at each. */
export function ChangesPanel(held: Held) {
  const { changes } = held.editor.draft()
  const { faults } = held.state
  if (changes.length === 0)
    return <p className="empty">This variation changes nothing yet. Select an element of the page, and edit it.</p>
  return (
    <>
      {faults[''] && <p className="fault">{faults['']}</p>}
      <ol className="changes">
        {changes.map((change, at) => (
          <Row key={change.id} {...held} change={change} isFirst={at === 0} isLast={at === changes.length - 1} />
        ))}
      </ol>
    </>
  )
}

function Row({ editor, state, change, isFirst, isLast }: Held & { change: Change; isFirst: boolean; isLast: boolean }) {
  const { id, selector } = change
  const draft = editor.draft()
  const fault = state.faults[id] ?? state.pageFaults[id]
  const size = 16
  return (
    <li onMouseEnter={() => editor.highlight(selector)} onMouseLeave={() => editor.highlight(null)}>
      <p>{sentenceOf(change)}</p>
      <p className="facts">
        <Place state={state} change={change} />
      </p>
      {fault !== undefined && <p className="fault">{fault}</p>}
      {(change.type === 'HTML' || change.type === 'INSERT') && (
        <Area
          label={`HTML of ${selector}`}
          isCode
          value={change.value}
          onChange={(value) => editor.edit(withFields(draft, id, { value }), `html ${id}`)}
        />
      )}
      <div className="row">
        <IconButton
          name={`Select ${selector}`}
          onClick={() => {
            editor.scrollTo(selector)
            editor.pick(selector)
          }}
        >
          <IconCrosshair size={size} />
        </IconButton>
        <IconButton
          name="Apply earlier"
          isOff={isFirst}
          onClick={() => keepingFocus(() => editor.edit(reordered(draft, id, -1)))}
        >
          <IconArrowUp size={size} />
        </IconButton>
        <IconButton
          name="Apply later"
          isOff={isLast}
          onClick={() => keepingFocus(() => editor.edit(reordered(draft, id, 1)))}
        >
          <IconArrowDown size={size} />
        </IconButton>
        <IconButton name="Remove this change" onClick={() => keepingFocus(() => editor.edit(withoutChange(draft, id)))}>
          <IconTrash size={size} />
        </IconButton>
      </div>
    </li>
  )
}

/** Does something to a row, and leaves the focus where it was, or at the row that has come in its place. */
function keepingFocus(work: () => void): void {
  const focused = document.activeElement
  const rows = [...document.querySelectorAll('.changes > li')]
  const at = rows.findIndex((row) => row.contains(focused))
  flushSync(work)
  if (focused instanceof HTMLElement && focused.isConnected) return focused.focus()
  const left = document.querySelectorAll('.changes > li')
  const row = left[Math.min(at, left.length - 1)]
  row?.querySelector<HTMLElement>('button:last-of-type')?.focus()
  if (!row) document.getElementById('tab-changes')?.focus()
}

/** Where a change acts, and on how many elements. */
function Place({ state: { experiment, pages, matches }, change }: Pick<Held, 'state'> & { change: Change }) {
  const { id, page } = change
  const name = page === null ? 'Every page' : (experiment.pages?.find(({ key }) => key === page)?.name ?? page)
  const isHere = page === null || pages === null || pages.includes(page)
  const count = matches[id]
  return (
    <>
      {name}
      {!isHere && <span> · not this page</span>}
      {isHere && count !== undefined && (
        <span className={count === 0 ? 'none' : undefined}>
          {' '}
          · {count === 0 ? 'matches 0 here' : `matches ${count}`}
        </span>
      )}
    </>
  )
}
