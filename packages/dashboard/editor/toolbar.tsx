import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconHandFinger,
  IconLayoutSidebar,
  IconLayoutSidebarRight,
  IconMinus,
  IconPointer,
  IconX,
} from '@tabler/icons-react'
import { useState } from 'react'
import { isChanged } from './editor.ts'
import { Button, Choice, Field, IconButton, useFirstFocus, useFocusAfter } from './fields.tsx'
import { type Held, nameOf } from './held.ts'

const size = 18

export function Toolbar(held: Held) {
  const { editor, state } = held
  const { experiment, side, variationKey } = state
  const isLeft = side === 'LEFT'
  const options = experiment.variations.map(({ key }) => {
    const edited = state.edits[key]
    return [key, `${nameOf(experiment.variations, key)}${edited && isChanged(edited) ? ' (not saved)' : ''}`] as const
  })
  return (
    <header className="toolbar">
      <div className="row">
        <h1 title={experiment.name}>{experiment.name}</h1>
        <IconButton
          name={isLeft ? 'Move to the right' : 'Move to the left'}
          onClick={() => editor.dock(isLeft ? 'RIGHT' : 'LEFT', false)}
        >
          {isLeft ? <IconLayoutSidebarRight size={size} /> : <IconLayoutSidebar size={size} />}
        </IconButton>
        <IconButton id="fold" name="Fold the editor" onClick={() => editor.dock(side, true)}>
          <IconMinus size={size} />
        </IconButton>
        <Close {...held} />
      </div>
      <Choice label="Variation" value={variationKey} options={options} onChange={editor.setVariation} />
      <Actions {...held} />
      <More {...held} />
    </header>
  )
}

function Actions({ editor, state }: Held) {
  const { mode, edits, variationKey, isSaving, ended } = state
  const { history } = edits[variationKey]!
  const hasEdits = isChanged(edits[variationKey]!)
  return (
    <div className="row">
      <fieldset className="modes">
        <legend className="hidden">What a click does</legend>
        <button
          type="button"
          aria-pressed={mode === 'SELECT'}
          title="Clicks select elements (Ctrl Shift E)"
          onClick={() => editor.setMode('SELECT')}
        >
          <IconPointer size={16} /> Select
        </button>
        <button
          type="button"
          aria-pressed={mode === 'INTERACT'}
          title="Clicks act as for visitors (Ctrl Shift E)"
          onClick={() => editor.setMode('INTERACT')}
        >
          <IconHandFinger size={16} /> Use page
        </button>
      </fieldset>
      <IconButton name="Undo (Ctrl Z)" onClick={editor.undo} isOff={history.past.length === 0}>
        <IconArrowBackUp size={size} />
      </IconButton>
      <IconButton name="Redo (Ctrl Shift Z)" onClick={editor.redo} isOff={history.future.length === 0}>
        <IconArrowForwardUp size={size} />
      </IconButton>
      <Button
        className="primary"
        title="Save as a draft (Ctrl S)"
        onClick={editor.save}
        isOff={!hasEdits || isSaving || ended !== null}
      >
        {isSaving ? 'Saving…' : hasEdits ? 'Save' : 'Saved'}
      </Button>
    </div>
  )
}

/** Closing drops what is not saved, so it asks. */
function Close({ editor, state: { edits } }: Held) {
  const [asks, setAsks] = useState(false)
  const hasEdits = Object.values(edits).some(isChanged)
  useFocusAfter(asks, 'close')
  if (asks) return <CloseQuestion onKeep={() => setAsks(false)} onClose={editor.close} />
  return (
    <IconButton id="close" name="Close the editor" onClick={() => (hasEdits ? setAsks(true) : editor.close())}>
      <IconX size={size} />
    </IconButton>
  )
}

function CloseQuestion({ onKeep, onClose }: { onKeep: () => void; onClose: () => void }) {
  const first = useFirstFocus<HTMLButtonElement>()
  return (
    <div
      className="asks"
      role="alertdialog"
      aria-label="Close without saving?"
      aria-describedby="not-saved"
      onKeyDown={({ key }) => key === 'Escape' && onKeep()}
    >
      <p id="not-saved">Your last edits are not saved.</p>
      <button type="button" ref={first} onClick={onKeep}>
        Keep editing
      </button>
      <button type="button" className="danger" onClick={onClose}>
        Close without saving
      </button>
    </div>
  )
}

const widths = ['390', '820', '1440']

function More({ editor, state: { outline } }: Held) {
  const [width, setWidth] = useState('390')
  const pixels = Number(width)
  const isWidth = Number.isInteger(pixels) && pixels >= 200 && pixels <= 4000
  return (
    <details className="more">
      <summary>Preview, width, outline</summary>
      <div className="inside">
        <div className="row">
          <button type="button" onClick={() => editor.preview(null)}>
            Open a preview
          </button>
          <button type="button" onClick={editor.outline}>
            Copy page outline
          </button>
        </div>
        <div className="row end">
          <Field
            label="Width in pixels"
            value={width}
            onChange={setWidth}
            fault={isWidth ? undefined : 'Use 200 to 4000.'}
          />
          {widths.map((each) => (
            <button key={each} type="button" aria-pressed={each === width} onClick={() => setWidth(each)}>
              {each}
            </button>
          ))}
          <button type="button" disabled={!isWidth} onClick={() => editor.preview(pixels)}>
            Open
          </button>
        </div>
        <p className="hint">
          A window of this width shows the saved draft. It does not pretend to be a phone: only its width differs.
        </p>
        {outline !== null && (
          <textarea
            className="code"
            rows={6}
            readOnly
            value={outline}
            aria-label="Outline of the page"
            onFocus={(event) => event.target.select()}
          />
        )}
      </div>
    </details>
  )
}
