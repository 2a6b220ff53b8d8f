import { useState } from 'react'
import { changeOn, newId, withChange, withHidden, withoutChange } from './draft.ts'
import { countsPositions, steadyOf } from './editor.ts'
import { Area, Button, Choice, Group } from './fields.tsx'
import type { Given } from './held.ts'

/** Whether the element is there, where it stands, and what is inserted beside it. */
export function PlaceGroup(given: Given) {
  return (
    <Group title="Hide, move, insert" isOpen>
      <Hiding {...given} />
      <Moving {...given} />
      <Inserting {...given} />
    </Group>
  )
}

function Hiding({ editor, target }: Given) {
  const draft = editor.draft()
  const change = changeOn(draft, target, 'HIDE')
  return (
    <div className="row">
      <button
        type="button"
        aria-pressed={change !== undefined}
        onClick={() => editor.edit(withHidden(draft, target, change ? null : { keepSpace: false }))}
      >
        {change ? 'Show it again' : 'Hide'}
      </button>
      {change && (
        <label className="option">
          <input
            type="checkbox"
            checked={change.keepSpace}
            onChange={(event) => editor.edit(withHidden(draft, target, { keepSpace: event.target.checked }))}
          />
          Keep its space
        </label>
      )}
    </div>
  )
}

function Moving({ editor, state, picked, target }: Given) {
  const draft = editor.draft()
  const change = changeOn(draft, target, 'MOVE')
  const moving = steady({ target, picked })
  const isOwned = picked.framework !== null
  return (
    <fieldset className="buttons">
      <legend>Move</legend>
      <Button isOff={picked.previous === null} onClick={() => editor.move(moving, picked.previous!, 'BEFORE')}>
        Up
      </Button>
      <Button isOff={picked.next === null} onClick={() => editor.move(moving, picked.next!, 'AFTER')}>
        Down
      </Button>
      <button type="button" onClick={() => editor.startPlacing({ target: moving, position: 'BEFORE' })}>
        Before…
      </button>
      <button type="button" onClick={() => editor.startPlacing({ target: moving, position: 'AFTER' })}>
        After…
      </button>
      {change && (
        <button type="button" onClick={() => editor.edit(withoutChange(draft, change.id))}>
          Move it back
        </button>
      )}
      {change && state.faults[change.id] && <p className="fault">{state.faults[change.id]}</p>}
      <Counting target={moving} what="a move changes them" />
      {isOwned && (
        <p className="warning">
          {picked.framework} owns this element. Moving it among its neighbours works; under a different parent, the page
          can break.
        </p>
      )}
    </fieldset>
  )
}

/** A move changes positions, by which some selectors find the element, and so does an insertion. */
const steady = ({ target, picked }: Pick<Given, 'target' | 'picked'>): Given['target'] =>
  countsPositions(target.selector) ? { ...target, selector: steadyOf(picked) ?? target.selector } : target

const Counting = ({ target, what }: { target: Given['target']; what: string }) =>
  countsPositions(target.selector) ? (
    <p className="warning">
      The selector counts positions, and {what}. Give the element an id in the page, or write a different selector.
    </p>
  ) : null

const positions = [
  ['BEFORE', 'Before it'],
  ['AFTER', 'After it'],
  ['FIRST', 'Inside, at the beginning'],
  ['LAST', 'Inside, at the end'],
] as const

function Inserting({ editor, picked, target }: Given) {
  const [html, setHtml] = useState('')
  const [position, setPosition] = useState<(typeof positions)[number][0]>('AFTER')
  const isBeside = position === 'BEFORE' || position === 'AFTER'
  const inserting = isBeside ? steady({ target, picked }) : target
  return (
    <details className="nested">
      <summary>Insert HTML</summary>
      <Choice label="Where" value={position} options={positions} onChange={setPosition} />
      <Area
        label="HTML to insert"
        isCode
        value={html}
        onChange={setHtml}
        placeholder={'<p class="note">No card needed</p>'}
      />
      {isBeside && <Counting target={inserting} what="what is inserted beside it can change them" />}
      <Button
        isOff={html.trim() === ''}
        onClick={() => {
          editor.edit(
            withChange(
              editor.draft(),
              { type: 'INSERT', ...inserting, was: null, value: html.trim(), position },
              newId(),
            ),
          )
          setHtml('')
        }}
      >
        Insert
      </Button>
    </details>
  )
}
