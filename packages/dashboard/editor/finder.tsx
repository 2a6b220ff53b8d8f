import { useState } from 'react'
import type { Editor } from './editor.ts'
import { Button, Field } from './fields.tsx'

/** Selects an element without a pointer, and those that nobody can point at. */
export function Finder({ editor, label }: { editor: Editor; label: string }) {
  const [selector, setSelector] = useState('')
  const isOff = selector.trim() === ''
  const find = () => editor.pick(selector)
  return (
    <form
      className="finder"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isOff) find()
      }}
    >
      <Field label={label} value={selector} onChange={setSelector} placeholder="main h1" />
      <Button isOff={isOff} onClick={find}>
        Select it
      </Button>
    </form>
  )
}
