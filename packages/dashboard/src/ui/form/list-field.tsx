import { IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { listIn } from '../conditions/condition-values.ts'
import classes from './list-field.module.css'

const shownAtFirst = 30

interface ListFieldProps {
  /** Names the field for screen readers, where the label is not beside it. */
  label: string
  values: readonly string[]
  onChange: (values: string[]) => void
  isInvalid?: boolean
  placeholder?: string
  /** The id of a `<datalist>` to choose from. Others can be typed. */
  list?: string
}

/**
 * A list of texts. Enter or a comma adds what is typed, pasting adds every line or cell, Backspace in the empty field
 * removes the last one. What is still in the field when it loses the focus is added too.
 */
export function ListField({ label, values, onChange, isInvalid = false, placeholder, list }: ListFieldProps) {
  const [text, setText] = useState('')
  const [isWhole, setIsWhole] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const add = (typed: string) => {
    const entries = listIn(typed).filter((entry) => !values.includes(entry))
    if (entries.length > 0) onChange([...values, ...entries])
    setText('')
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if ((event.key === 'Enter' || event.key === ',') && text.trim() !== '' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      add(text)
    } else if (event.key === 'Backspace' && text === '' && values.length > 0) {
      onChange(values.slice(0, -1))
    }
  }
  const shown = isWhole ? values : values.slice(0, shownAtFirst)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a click beside the entries means the field
    // biome-ignore lint/a11y/useKeyWithClickEvents: keyboards reach the field itself
    <div
      className={classes.frame}
      data-fault={isInvalid || undefined}
      onClick={(event) => event.target === event.currentTarget && input.current?.focus()}
    >
      {shown.map((entry) => (
        <span key={entry} className={classes.entry}>
          <span title={entry}>{entry}</span>
          <button
            type="button"
            aria-label={`Remove ${entry}`}
            onClick={() => {
              onChange(values.filter((each) => each !== entry))
              input.current?.focus()
            }}
          >
            <IconX size={14} aria-hidden />
          </button>
        </span>
      ))}
      {values.length > shown.length && (
        <button type="button" className={classes.more} onClick={() => setIsWhole(true)}>
          {(values.length - shown.length).toLocaleString('en')} more
        </button>
      )}
      <input
        ref={input}
        className={classes.input}
        aria-label={label}
        aria-invalid={isInvalid}
        value={text}
        placeholder={values.length === 0 ? placeholder : undefined}
        list={list}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={press}
        onBlur={() => text.trim() !== '' && add(text)}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text')
          if (listIn(pasted).length < 2) return
          event.preventDefault()
          add(`${text}${pasted}`)
        }}
      />
    </div>
  )
}
