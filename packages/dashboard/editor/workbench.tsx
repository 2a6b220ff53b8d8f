import { keyOf } from '@svc/web/messages'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { ChangesPanel } from './changes-panel.tsx'
import { Conflicts } from './conflicts.tsx'
import { CssPanel } from './css-panel.tsx'
import { type Editor, type EditorState, isChanged } from './editor.ts'
import { ElementPanel } from './element-panel.tsx'
import { Tabs, useFirstFocus, useFocusAfter } from './fields.tsx'
import { Finder } from './finder.tsx'
import { type Held, nameOf } from './held.ts'
import { Toolbar } from './toolbar.tsx'

const tabs = { element: 'Element', changes: 'Changes', css: 'CSS' } as const
type Tab = keyof typeof tabs

export function Workbench({ editor }: { editor: Editor }) {
  const state = useSyncExternalStore(editor.subscribe, editor.state)
  const [tab, setTab] = useState<Tab>('element')
  const held = { editor, state }
  useKeys(editor, state)
  useFocusAfter(state.isFolded, 'fold')
  useEffect(() => {
    // The keyboard comes from the page, where it has selected something. Firefox says so before a click focuses its field.
    const look = () => document.activeElement === document.body && document.getElementById('panel')?.focus()
    const onFocus = () => void setTimeout(look)
    addEventListener('focus', onFocus)
    return () => removeEventListener('focus', onFocus)
  }, [])
  // What is selected is what a person looks at next.
  const { picked } = state
  useEffect(() => {
    if (picked) setTab('element')
  }, [picked])
  if (state.isFolded) return <Folded {...held} />
  const { changes } = editor.draft()
  return (
    <div className="workbench">
      <Toolbar {...held} />
      <Messages {...held} />
      {state.conflict ? (
        <Conflicts {...held} conflict={state.conflict} />
      ) : (
        <>
          <Tabs
            label="Parts of the variation"
            names={{ ...tabs, changes: `Changes ${changes.length}` }}
            chosen={tab}
            onChoose={setTab}
          />
          <main id="panel" role="tabpanel" aria-label={tabs[tab]} tabIndex={-1} className="panel">
            {tab === 'element' && <ElementPanel {...held} />}
            {tab === 'changes' && <ChangesPanel {...held} />}
            {tab === 'css' && <CssPanel {...held} />}
          </main>
        </>
      )}
      <Status {...held} />
    </div>
  )
}

function useKeys(editor: Editor, { placing }: EditorState): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && placing) return editor.startPlacing(null)
      const key = keyOf(event)
      const isTyping = event.target instanceof Element && event.target.matches('input, textarea')
      // In a field, the browser undoes what is typed there.
      if (!key || (isTyping && (key === 'UNDO' || key === 'REDO'))) return
      event.preventDefault()
      editor.press(key)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [editor, placing])
}

function Folded({ editor, state }: Held) {
  const first = useFirstFocus<HTMLButtonElement>()
  return (
    <button type="button" ref={first} className="unfold" onClick={() => editor.dock(state.side, false)}>
      Show the editor
    </button>
  )
}

/** What a person must know before going on. */
function Messages({ editor, state: { ended, placing, people, edits, variationKey, experiment } }: Held) {
  return (
    <>
      {ended !== null && (
        <div className="message bad" role="alert">
          <p>
            This session has ended: {ended} {isChanged(edits[variationKey]!) && 'Your last edits are not saved. '}
            Open the editor again from the dashboard.
          </p>
          <button type="button" onClick={editor.copyDraft}>
            Copy the changes as JSON
          </button>
        </div>
      )}
      {people.length > 0 && (
        <p className="message info">
          {people
            .map(({ name, variationKey: key }) => `${name} is editing ${nameOf(experiment.variations, key)}.`)
            .join(' ')}
        </p>
      )}
      {placing && (
        <div className="message info placing">
          <p role="status">Select the element {placing.position === 'BEFORE' ? 'before' : 'after'} which it goes.</p>
          <Finder editor={editor} label="Or find that one by a selector" />
          <button type="button" onClick={() => editor.startPlacing(null)}>
            Cancel
          </button>
        </div>
      )}
    </>
  )
}

/** The last thing that happened. */
const Status = ({ state: { notice } }: Held) => (
  <footer className={notice?.isBad ? 'status bad' : 'status'} role="status">
    {notice?.text ?? 'You edit a draft. Visitors do not see it yet.'}
  </footer>
)
