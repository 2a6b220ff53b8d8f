import { useState } from 'react'
import { hexOf } from './colors.ts'
import { changeOn, withStyle } from './draft.ts'
import { Choice, Field, Group } from './fields.tsx'
import type { Given } from './held.ts'

const weights = [
  ['', 'As it is'],
  ['400', 'Regular'],
  ['500', 'Medium'],
  ['600', 'Semibold'],
  ['700', 'Bold'],
] as const
const alignments = [
  ['', 'As it is'],
  ['left', 'Left'],
  ['center', 'Centre'],
  ['right', 'Right'],
] as const
const sizes = [
  ['font-size', 'Text size'],
  ['padding', 'Padding'],
  ['margin', 'Margin'],
  ['border-radius', 'Corners'],
  ['width', 'Width'],
] as const

export function StyleGroup(given: Given) {
  const { editor, state, picked, target } = given
  const draft = editor.draft()
  const change = changeOn(draft, target, 'STYLE')
  const style = change?.value ?? {}
  const put = (property: string, value: string): void =>
    editor.edit(withStyle(draft, target, property, value), `style ${property} ${target.selector}`)
  return (
    <Group title="Style" isOpen>
      {change && state.faults[change.id] && <p className="fault">{state.faults[change.id]}</p>}
      <div className="pairs">
        <Color
          label="Text colour"
          value={style.color ?? ''}
          now={picked.styles.color}
          onChange={(value) => put('color', value)}
        />
        <Color
          label="Background"
          value={style['background-color'] ?? ''}
          now={picked.styles['background-color']}
          onChange={(value) => put('background-color', value)}
        />
        <Choice
          label="Weight"
          value={style['font-weight'] ?? ''}
          options={weights as never}
          onChange={(value: string) => put('font-weight', value)}
        />
        <Choice
          label="Alignment"
          value={style['text-align'] ?? ''}
          options={alignments as never}
          onChange={(value: string) => put('text-align', value)}
        />
        {sizes.map(([property, label]) => (
          <Field
            key={property}
            label={label}
            value={style[property] ?? ''}
            placeholder={picked.styles[property] ?? ''}
            onChange={(value) => put(property, value)}
            onLeave={() => put(property, inPixels(style[property] ?? ''))}
          />
        ))}
      </div>
      <Others style={style} put={put} />
    </Group>
  )
}

/** Sizes without a unit are pixels, as people mean them. */
const inPixels = (value: string): string =>
  /^[\d. ]+$/.test(value) ? value.replace(/\d*\.?\d+/g, (size) => (Number(size) === 0 ? '0' : `${size}px`)) : value

/** A color as it is typed, and the field of the browser for those who choose by eye. */
function Color({
  label,
  value,
  now,
  onChange,
}: {
  label: string
  value: string
  now: string | undefined
  onChange: (value: string) => void
}) {
  return (
    <div className="color">
      <Field label={label} value={value} placeholder={hexOf(now ?? '') ?? now ?? ''} onChange={onChange} />
      <input
        type="color"
        aria-label={`Choose: ${label.toLowerCase()}`}
        value={hexOf(value) ?? hexOf(now ?? '') ?? '#ffffff'}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}

const named = new Set<string>([
  'color',
  'background-color',
  'font-weight',
  'text-align',
  ...sizes.map(([property]) => property),
])

/** Every other property, by its name. */
function Others({ style, put }: { style: Record<string, string>; put: (property: string, value: string) => void }) {
  const [property, setProperty] = useState('')
  return (
    <div className="others">
      {Object.entries(style)
        .filter(([name]) => !named.has(name))
        .map(([name, value]) => (
          <Field key={name} label={name} value={value} onChange={(next) => put(name, next)} />
        ))}
      <form
        className="row end"
        onSubmit={(event) => {
          event.preventDefault()
          put(property.trim(), 'inherit')
          setProperty('')
        }}
      >
        <Field label="Another property" value={property} placeholder="letter-spacing" onChange={setProperty} />
        <button type="submit" disabled={!/^-?[a-z][a-z-]*$/.test(property.trim())}>
          Add
        </button>
      </form>
    </div>
  )
}
