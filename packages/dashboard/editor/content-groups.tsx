import { useState } from 'react'
import { changeOn, newId, withChange, withClasses, withoutChange, withText } from './draft.ts'
import { Area, Field, Group } from './fields.tsx'
import type { Given } from './held.ts'

export function TextGroup({ editor, state, picked, target }: Given) {
  const draft = editor.draft()
  const change = changeOn(draft, target, 'TEXT')
  return (
    <Group title="Text" isOpen>
      <Area
        label="Text"
        value={change?.value ?? picked.text}
        fault={change && state.faults[change.id]}
        onChange={(value) => editor.edit(withText(draft, target, value, picked.text), `text ${target.selector}`)}
      />
      <button type="button" onClick={editor.write}>
        Type it in the page
      </button>
    </Group>
  )
}

export function ImageGroup({ editor, state, picked, target }: Given) {
  const draft = editor.draft()
  const change = changeOn(draft, target, 'IMAGE')
  const was = picked.attributes.src ?? ''
  const put = (value: string, alt: string | null): void =>
    editor.edit(
      value === '' || (value === was && alt === null)
        ? withoutChange(draft, change?.id)
        : withChange(draft, { type: 'IMAGE', ...target, was, value, alt }, newId()),
      `image ${target.selector}`,
    )
  return (
    <Group title="Image" isOpen>
      <Field
        label="Address"
        value={change?.value ?? was}
        fault={change && state.faults[change.id]}
        onChange={(value) => put(value, change?.alt ?? null)}
      />
      <Field
        label="Alternative text"
        value={change?.alt ?? picked.attributes.alt ?? ''}
        onChange={(alt) => put(change?.value ?? was, alt)}
      />
    </Group>
  )
}

export function AttributeGroup({ editor, state, picked, target }: Given) {
  const draft = editor.draft()
  const [name, setName] = useState(picked.tag === 'a' ? 'href' : '')
  const change = changeOn(draft, target, 'ATTRIBUTE', name)
  const was = picked.attributes[name] ?? null
  const put = (value: string | null): void =>
    editor.edit(
      value === was
        ? withoutChange(draft, change?.id)
        : withChange(draft, { type: 'ATTRIBUTE', ...target, was, name, value }, newId()),
      `attribute ${name} ${target.selector}`,
    )
  const names = Object.keys(picked.attributes)
  return (
    <Group title={picked.tag === 'a' ? 'Link and attributes' : 'Attributes'} isOpen={picked.tag === 'a'}>
      <Field
        label="Attribute"
        value={name}
        onChange={setName}
        placeholder="href"
        hint={names.length > 0 ? `It has ${names.join(', ')}.` : undefined}
      />
      {name !== '' && (
        <>
          <Field
            label="Value"
            value={(change ? change.value : was) ?? ''}
            fault={change && state.faults[change.id]}
            onChange={put}
          />
          {was !== null && (
            <button
              type="button"
              aria-pressed={change?.value === null}
              onClick={() => put(change?.value === null ? was : null)}
            >
              Remove the attribute
            </button>
          )}
        </>
      )}
    </Group>
  )
}

export function ClassGroup({ editor, state, picked, target }: Given) {
  const draft = editor.draft()
  const change = changeOn(draft, target, 'CLASS')
  const [texts, setTexts] = useState({ add: change?.add.join(' ') ?? '', remove: change?.remove.join(' ') ?? '' })
  const put = (next: typeof texts): void => {
    setTexts(next)
    editor.edit(withClasses(draft, target, next), `class ${target.selector}`)
  }
  return (
    <Group title="Classes">
      <p className="hint">{picked.attributes.class ? `It has ${picked.attributes.class}.` : 'It has no classes.'}</p>
      <Field label="Add" value={texts.add} placeholder="is-wide" onChange={(add) => put({ ...texts, add })} />
      <Field
        label="Remove"
        value={texts.remove}
        placeholder="is-narrow"
        fault={change && state.faults[change.id]}
        onChange={(remove) => put({ ...texts, remove })}
      />
    </Group>
  )
}

export function HtmlGroup({ editor, state, picked, target }: Given) {
  const draft = editor.draft()
  const change = changeOn(draft, target, 'HTML')
  const put = (value: string): void =>
    editor.edit(
      value === picked.html
        ? withoutChange(draft, change?.id)
        : withChange(draft, { type: 'HTML', ...target, was: null, value }, newId()),
      `html ${target.selector}`,
    )
  if (picked.html === null && !change)
    return (
      <Group title="HTML">
        <p className="hint">This element has more than 20,000 characters of HTML. Select a smaller one.</p>
      </Group>
    )
  return (
    <Group title="HTML">
      <Area
        label="Content"
        isCode
        value={change?.value ?? picked.html ?? ''}
        fault={change && state.faults[change.id]}
        hint="A copy with this content stands beside the original, which is hidden. Scripts of the page do not know the copy."
        onChange={put}
      />
    </Group>
  )
}
